/* SPDX-License-Identifier: BSD-2-Clause */
/* console_log.c - opens and closes the file of --log. */
#include "console_log.h"
#include "exit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum status console_log_open(struct console *console, const char *path, struct error *error)
{
	console->show = fopen(path, "we");
	return console->show ? STATUS_OK : error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
}

enum status console_log_close(struct console *console, const char *path, enum status status)
{
	int error_number = console->write_error;

	if (!path || !console->show || console->show == stdout)
		return status;
	if (fclose(console->show) && !error_number)
		error_number = errno;
	if (!error_number)
		return status;
	complain(path, "cannot be written: %s", strerror(error_number));
	return STATUS_SYSTEM;
}
