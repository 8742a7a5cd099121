/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_work.c - handles messages according to their kind. Two of three messages have the same
 * kind, and no message is malformed. A compiler can know these two facts only from a profile of
 * this program.
 */
#include "alloc.h"
#include "board.h"
#include "console.h"
#include "format.h"
#include "selftest.h"
#include "strings.h"

#ifndef MESSAGES
#define MESSAGES 2000u
#endif
#define BODY 16u

struct message {
	uint32_t kind;
	uint32_t length;
	char body[BODY];
};

typedef uint32_t (*handler)(const struct message *message, uint32_t state);

/* A clock in nanoseconds. With -icount shift=0, QEMU advances this clock by one for each instruction. */
#ifdef __x86_64__
#define NANOSECONDS 1u
static uint32_t now(void)
{
	uint32_t low;

	__asm__ volatile("rdtsc" : "=a"(low) : : "rdx");
	return low;
}
#else
/* The timer of a Cortex-M board counts down. */
uint32_t board_ticks(void);
#define NANOSECONDS 40u
static uint32_t now(void)
{
	return 0 - board_ticks();
}
#endif

static uint32_t wrong;

static __attribute__((noinline)) uint32_t bad(const struct message *message, const char *why)
{
	wrong++;
	console_printf("message of kind %u: %s\n", message->kind, why);
	return 0;
}

/* The usual branch depends on the caller: one caller passes small letters, another caller passes capital letters. */
static uint32_t weigh(const struct message *message)
{
	uint32_t n = 0;
	uint32_t i;

	for (i = 0; i < message->length; i++) {
		if (message->body[i] >= 'a')
			n++;
		else
			n ^= str_length(&message->body[i]);
	}
	return n;
}

static uint32_t on_data(const struct message *message, uint32_t state)
{
	if (message->length > BODY)
		return bad(message, "longer than its body");
	return state + weigh(message);
}

static __attribute__((noinline)) uint32_t on_name(const struct message *message, uint32_t state)
{
	if (message->length == 0)
		return bad(message, "without a name");
	return state ^ weigh(message) << 1 ^ str_length(message->body);
}

static uint32_t on_number(const struct message *message, uint32_t state)
{
	char text[BODY];
	uint32_t value;

	format(text, sizeof(text), format_args("%u", message->length));
	if (!str_number(text, &value))
		return bad(message, "no number");
	return state + value;
}

static uint32_t on_memory(const struct message *message, uint32_t state)
{
	void *p = alloc_get(message->length + 1);

	if (p == NULL)
		return bad(message, "no memory");
	return alloc_put(p) ? state + 1 : bad(message, "memory of nobody's");
}

/* This table is not static, so the compiler must assume that other code may replace a handler. */
extern handler handlers[];
handler handlers[] = {on_name, on_data, on_number, on_memory};

/* Makes message @n, which is the same in every run. */
static void make(struct message *message, uint32_t n)
{
	uint32_t i;

	message->kind = n % 16 < 11 ? 1 : n % 16 < 15 ? 0 : n / 16 % 4;
	message->length = 4 + (n & 7);
	for (i = 0; i + 1 < message->length; i++)
		message->body[i] = (char)((message->kind == 1 ? 'a' : 'A') + ((n + i) & 15));
	message->body[i] = '\0';
}

static __attribute__((noinline)) uint32_t handle_all(uint32_t count)
{
	struct message message;
	uint32_t state = 0;
	uint32_t n;

	for (n = 0; n < count; n++) {
		make(&message, n);
		state = handlers[message.kind](&message, state);
	}
	return state;
}

void test_work(void)
{
	uint32_t start = now();
	uint32_t state = handle_all(MESSAGES);
	uint32_t took = now() - start;

	console_printf("work: %u nanoseconds, result %x\n", took * NANOSECONDS, state);
	EXPECT(wrong == 0);
}
