/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern.c - regular expressions for names of functions.
 */
#include "pattern.h"
#include "exit.h"

bool named_pattern(regex_t *regex, const char *option, const char *text)
{
	int code = regcomp(regex, text, REG_EXTENDED | REG_NOSUB);
	char reason[200];

	if (!code)
		return true;
	regerror(code, regex, reason, sizeof(reason));
	complain(NULL, "%s: invalid regular expression '%s': %s", option, text, reason);
	return false;
}

bool function_pattern(regex_t *regex, const char *text)
{
	return named_pattern(regex, "--function", text);
}

bool function_matches(const regex_t *regex, struct bytes name, struct buffer *scratch)
{
	scratch->size = 0;
	buffer_add(scratch, name.data, name.size);
	return !regexec(regex, buffer_string(scratch), 0, NULL, 0);
}
