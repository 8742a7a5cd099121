/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * semihosting.h - ask the debugger or emulator that runs this processor: for
 * files, the command line, an end with a status. Without one, a call faults.
 */
#ifndef ARCH_ARM_SEMIHOSTING_H
#define ARCH_ARM_SEMIHOSTING_H

#include <bareprof/platform.h>

enum semihosting_operation {
	SEMIHOSTING_OPEN = 0x01,
	SEMIHOSTING_CLOSE = 0x02,
	SEMIHOSTING_WRITE = 0x05,
	SEMIHOSTING_CLOCK = 0x10, /* centiseconds of the run */
	SEMIHOSTING_TIME = 0x11, /* seconds since 1970 */
	SEMIHOSTING_COMMAND_LINE = 0x15,
	SEMIHOSTING_EXIT_EXTENDED = 0x20,
};

/* The bare call: @parameters is the operation's block of words, or NULL. */
intptr_t semihosting_call(enum semihosting_operation operation, const void *parameters);

/* Open a file of the host for writing bytes, empty at first; its handle, or -1. */
intptr_t semihosting_create(const char *name);

/* Write all of @n bytes: 0, or -1. */
int semihosting_write(intptr_t handle, const void *data, size_t n);

/* The command line as one string in @buf: 0, or -1 if there is none or no room. */
int semihosting_command_line(char *buf, size_t size);

/* End the run; the emulator's exit status is @status. */
void semihosting_exit(int status);

#endif
