/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console_log.h - the file of `bareprof pull --log`, which gets the text of a console.
 */
#ifndef BAREPROF_HOST_CONSOLE_LOG_H
#define BAREPROF_HOST_CONSOLE_LOG_H

#include "console.h"
#include "error.h"

/*
 * console_log_open - creates the file @path for the text that @console shows. Errors: SYSTEM.
 * console_log_close - closes the file, if console_log_open() has created it. Prints errors. Returns @status, or SYSTEM if
 *	text could not be written.
 */
enum status console_log_open(struct console *console, const char *path, struct error *error);
enum status console_log_close(struct console *console, const char *path, enum status status);

#endif
