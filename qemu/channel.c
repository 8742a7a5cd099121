/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.c - writes binary data to a file of the host by semihosting, for board_write().
 */
#include "channel.h"

#include <bareprof/semihosting.h>

#define COMMAND_MAX 256

static intptr_t channel = -1;

void channel_open(void)
{
	static char command[COMMAND_MAX];
	char *name = command;
	char *end;

	if (bareprof_semihosting_command_line(command, sizeof(command)) != 0)
		return;
	while (*name != '\0' && *name != ' ')
		name++;
	while (*name == ' ')
		name++;
	for (end = name; *end != '\0' && *end != ' '; end++)
		continue;
	*end = '\0';
	if (end != name)
		channel = bareprof_semihosting_create(name);
}

int channel_write(const void *data, size_t n)
{
	return channel < 0 ? -1 : bareprof_semihosting_write(&channel, data, n);
}
