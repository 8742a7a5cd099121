/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h - the functions with which a board implements board_write(). They write to a file of
 * the host by semihosting. QEMU gives the guest a command line. The second word of the command line
 * is the name of the file.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>

void channel_open(void);

/* Writes @n bytes to the file. Returns 0, or -1 if there is no file or a write fails. */
int channel_write(const void *data, size_t n);

#endif
