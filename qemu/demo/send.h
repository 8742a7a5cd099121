/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * send.h - the parts that the commands for profiles and samples share: LLVM's counters (cov.c), machine profiles (mip.c)
 * and samples (sample.c).
 */
#ifndef SEND_H
#define SEND_H

#include <stddef.h>
#include <stdint.h>

/* Print text, a number or bytes on the console. @label comes before the number or the bytes. */
void send_words(const char *s);
void send_number(const char *label, uint32_t value);
void send_bytes(const char *label, const uint8_t *bytes, uint32_t n);

/* If @error is negative, prints @what and the error, and returns 1. Otherwise returns 0. */
int send_failed(const char *what, intptr_t error);

/* Sinks for the console and for the board's channel for binary data. */
int send_to_console(void *context, const void *data, size_t n);
int send_to_channel(void *context, const void *data, size_t n);

/* The block buffer. All commands share it, because some boards have only 16 KiB of RAM. */
extern uint64_t send_block[1024 / 8];

/*
 * Returns the nonce of all captures of this boot. By the nonce, the host sees which captures come from one boot. The
 * host adds two captures of one boot only if the counters were reset between them.
 */
uint64_t send_nonce(void);

#endif
