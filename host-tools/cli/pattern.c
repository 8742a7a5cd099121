/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern.c - the option --function of commands that list functions.
 */
#include "pattern.h"
#include "exit.h"

bool function_pattern(regex_t *regex, const char *text)
{
	int code = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	char reason[200];

	if (!code)
		return true;
	regerror(code, regex, reason, sizeof(reason));
	complain(NULL, "--function: invalid regular expression '%s': %s", text, reason);
	return false;
}
