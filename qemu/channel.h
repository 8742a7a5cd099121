/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h - board_write() by semihosting: to the file of the host that the
 * command line names after the program.
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>

void channel_open(void);

/* 0, or -1 if there is no such file or it takes no more. */
int channel_write(const void *data, size_t n);

#endif
