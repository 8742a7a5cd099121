/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * races.c - a program for ThreadSanitizer. Threads count, record values and end. Meanwhile, one thread dumps, drains
 * and resets, and another thread adds and removes images.
 */
#include <bareprof/capture.h>
#include <bareprof/snapshot.h>
#include <bareprof/values.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define FUNCTIONS 4u
#define SITES     2u /* value sites of each function */
#define MODULES   60u
#define ROUNDS    300u

BAREPROF_STATE;

/* The record of a function, with the fields that clang 19 to 22 give it. */
struct record {
	uint64_t name;
	uint64_t hash;
	int64_t counters;
	int64_t bitmap;
	void *function;
	struct bareprof_node **heads;
	uint32_t count;
	uint16_t sites[3];
	uint32_t bitmap_bytes;
};
_Static_assert(sizeof(struct record) == BAREPROF_RECORD_SIZE(10u, 8u), "a record");

static struct module {
	struct record records[FUNCTIONS];
	uint64_t counters[FUNCTIONS];
	struct bareprof_node *heads[FUNCTIONS * SITES];
	struct bareprof_node nodes[100];
	struct bareprof_image image;
	struct bareprof_values values;
} modules[MODULES + 1];
static const char names[8] = {6, 0, 'n', 'a', 'm', 'e', '0', '1'};

static int latest; /* index of the newest module; 0 is the kernel, which always stays loaded */
static int done;

static int start(struct module *m)
{
	unsigned int i;

	for (i = 0; i < FUNCTIONS; i++) {
		struct record *r = &m->records[i];

		r->name = i;
		r->counters = (char *)&m->counters[i] - (char *)r;
		r->heads = m->heads + SITES * i;
		r->count = 1;
		r->sites[0] = SITES;
	}
	m->image.section[BAREPROF_DATA].start = m->records;
	m->image.section[BAREPROF_DATA].size = sizeof(m->records);
	m->image.section[BAREPROF_CNTS].start = m->counters;
	m->image.section[BAREPROF_CNTS].size = sizeof(m->counters);
	m->image.section[BAREPROF_NAMES].start = names;
	m->image.section[BAREPROF_NAMES].size = sizeof(names);
	m->image.section[BAREPROF_VALS].start = m->heads;
	m->image.section[BAREPROF_VALS].size = sizeof(m->heads);
	return bareprof_image_init(&m->image, 0) ||
	       bareprof_values_start(&m->values, &m->image, m->nodes, sizeof(m->nodes) / sizeof(m->nodes[0]));
}

/* Counts once and records two values. Code compiled with -fprofile-update=atomic does the same. */
static void visit(struct module *m, unsigned int i)
{
	__atomic_fetch_add(&m->counters[i % FUNCTIONS], 1, __ATOMIC_RELAXED);
	__llvm_profile_instrument_target(i * i % 37, &m->records[i % FUNCTIONS], i / 3 % SITES);
	__llvm_profile_instrument_memop(i % 1000, &m->records[i % FUNCTIONS], i % SITES);
}

static void *count(void *argument)
{
	unsigned int i;

	for (i = 0; i < 500; i++) {
		visit(&modules[0], i + *(unsigned int *)argument);
		/* This module is loaded, or was unloaded a moment ago. */
		visit(&modules[__atomic_load_n(&latest, __ATOMIC_ACQUIRE)], i);
	}
	return NULL;
}

/* Starts threads one after the other, until the test is done. */
static void *crowd(void *argument)
{
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
		pthread_t thread;

		pthread_create(&thread, NULL, count, argument);
		pthread_join(thread, NULL);
	}
	return NULL;
}

/*
 * Loads and unloads modules. Each module has its own memory, because threads may still run in a module that was
 * unloaded.
 */
static void *load(void *argument)
{
	int n;

	(void)argument;
	for (n = 1; n <= (int)MODULES; n++) {
		if (start(&modules[n]))
			puts("failed: start of a module");
		__atomic_store_n(&latest, n, __ATOMIC_RELEASE);
		while (__atomic_load_n(&modules[n].values.dropped, __ATOMIC_RELAXED) < 50 &&
			!__atomic_load_n(&done, __ATOMIC_RELAXED))
			;
		__atomic_store_n(&latest, n / 2, __ATOMIC_RELEASE);
		bareprof_values_remove(&modules[n].values);
	}
	return NULL;
}

static uint8_t out[1 << 16];

static int sink(void *context, const void *data, size_t n)
{
	size_t *at = context;

	memcpy(out + *at % 10000, data, n);
	*at += n;
	return 0;
}

static int dump_all(struct module *m, unsigned int round)
{
	static struct bareprof_dump dump;
	static struct bareprof_capture capture;
	static struct bareprof_image then;
	static uint64_t memory[FUNCTIONS];
	static uint64_t block[100];
	size_t at = 0;
	intptr_t n;

	while (bareprof_values_hold(&m->values, 0))
		;
	switch (round % 4) {
	case 0:
		n = bareprof_write(&dump, &m->image, out, sizeof(out));
		break;
	case 1:
		n = bareprof_snapshot(&then, &m->image, memory, sizeof(memory));
		n = n ? n : bareprof_write(&dump, &then, out, sizeof(out));
		break;
	case 2:
		n = bareprof_drain(&then, &m->image, memory, sizeof(memory));
		n = n ? n : bareprof_write(&dump, &then, out, sizeof(out));
		bareprof_values_reset(&m->values);
		break;
	default:
		n = bareprof_capture_values(&capture, &m->image, round, block, sizeof(block));
		n = n ? n : bareprof_send(&capture, block, sizeof(block), bareprof_encode_frame, sink, &at);
	}
	bareprof_values_release(&m->values);
	if (round % 16 == 15)
		bareprof_reset(&m->image);
	return n < 0;
}

int main(void)
{
	static unsigned int numbers[3] = {0, 1000, 2000};
	pthread_t crowds[3];
	pthread_t loader;
	unsigned int i;

	if (start(&modules[0]))
		return 1;
	for (i = 0; i < 3; i++)
		pthread_create(&crowds[i], NULL, crowd, &numbers[i]);
	pthread_create(&loader, NULL, load, NULL);
	for (i = 0; i < ROUNDS; i++)
		if (dump_all(&modules[0], i))
			puts("failed: a dump");
	/*
	 * On a busy machine, the rounds above can end before any thread recorded a value of an unloaded module.
	 * Therefore this loop continues until a thread has done so.
	 */
	for (i = 0; !__atomic_load_n(&bareprof_global_state.dropped, __ATOMIC_RELAXED); i++)
		if (dump_all(&modules[0], i))
			puts("failed: a dump");
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 3; i++)
		pthread_join(crowds[i], NULL);
	pthread_join(loader, NULL);
	printf("rounds %u dropped %zu unknown %zu\n", ROUNDS, modules[0].values.dropped, bareprof_global_state.dropped);
	return 0;
}
