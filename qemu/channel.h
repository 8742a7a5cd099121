/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h - implements board_write() with semihosting. board_write() writes to a file of the
 * host. QEMU gives the guest a command line. The second word of this line is the file's name.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>

void channel_open(void);

/* Writes @n bytes to the file. Returns 0, or -1 if there is no file or a write fails. */
int channel_write(const void *data, size_t n);

#endif
