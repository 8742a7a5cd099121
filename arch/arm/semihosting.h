/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * semihosting.h - calls to the debugger or emulator that controls this processor. The calls write
 * files, read the command line, and end the run with a status. Without a debugger or emulator, a
 * call raises a fault.
 */
#ifndef ARCH_ARM_SEMIHOSTING_H
#define ARCH_ARM_SEMIHOSTING_H

#include <bareprof/platform.h>

enum semihosting_operation {
	SEMIHOSTING_OPEN = 0x01,
	SEMIHOSTING_CLOSE = 0x02,
	SEMIHOSTING_WRITE = 0x05,
	SEMIHOSTING_CLOCK = 0x10, /* centiseconds since the run started */
	SEMIHOSTING_TIME = 0x11, /* seconds since 1970 */
	SEMIHOSTING_COMMAND_LINE = 0x15,
	SEMIHOSTING_EXIT_EXTENDED = 0x20,
};

/* Makes one call and returns its result. @parameters points to the words that the operation needs, or is NULL. */
intptr_t semihosting_call(enum semihosting_operation operation, const void *parameters);

/*
 * Creates the file @name on the host, or empties this file if it exists. Opens the file for
 * writing in binary mode. Returns the file's handle, or -1.
 */
intptr_t semihosting_create(const char *name);

/* Writes @n bytes. Returns 0, or -1 if not all bytes were written. */
int semihosting_write(intptr_t handle, const void *data, size_t n);

/*
 * Copies the command line to @buf of @size bytes, as one string. Returns 0, or -1 if there is no
 * command line or @buf is too small.
 */
int semihosting_command_line(char *buf, size_t size);

/* Ends the run. The emulator exits with @status. */
void semihosting_exit(int status);

#endif
