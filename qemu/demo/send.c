/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * send.c - prints messages and sends captures. This file is not instrumented and calls no instrumented
 * code, so that reading the profile does not change the profile. For the same reason it prints with the
 * board's functions.
 */
#include "profile.h"

#include "board.h"
#include "send.h"

uint64_t send_block[1024 / 8];

void send_words(const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\n')
			board_putc('\r');
		board_putc(*s);
	}
}

/* Prints a number without dividing, because on some cores a division needs a library function. */
void send_number(const char *label, uint32_t value)
{
	static const uint32_t power[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
	uint32_t i = 0;
	char digit;

	send_words(label);
	while (power[i] > 1 && value < power[i])
		i++;
	for (; i < sizeof(power) / sizeof(power[0]); i++) {
		for (digit = '0'; value >= power[i]; digit++)
			value -= power[i];
		board_putc(digit);
	}
}

void send_bytes(const char *label, const uint8_t *bytes, uint32_t n)
{
	uint32_t i;

	send_words(label);
	for (i = 0; i < n; i++) {
		board_putc("0123456789abcdef"[bytes[i] >> 4]);
		board_putc("0123456789abcdef"[bytes[i] & 15]);
	}
}

int send_failed(const char *what, intptr_t error)
{
	if (error >= 0)
		return 0;
	send_words(what);
	send_words(": ");
	send_words(bareprof_strerror(error));
	send_words("\n");
	return 1;
}

int send_to_console(void *context, const void *data, size_t n)
{
	const char *c = data;

	(void)context;
	for (; n > 0; n--)
		board_putc(*c++);
	return 0;
}

int send_to_channel(void *context, const void *data, size_t n)
{
	(void)context;
	return board_write(data, n);
}

uint64_t send_nonce(void)
{
	static uint64_t boot;

	if (!boot)
		boot = board_nonce();
	return boot;
}
