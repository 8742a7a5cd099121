/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.c - tests the dispatcher for hypercalls with calls that use 64-bit or 32-bit registers. The test has no
 * hypervisor and no guest. The images of images.h are used in place of the hypervisor's image, and an array is used in
 * place of guest memory.
 */
#include "host.h"
#include "images.h"

#include <bareprof/hypercall.h>

#define CANARY   0xa5
#define GUEST    0x40001000u
#define MEMORY   8192u
#define WINDOW   192u
#define SNAPSHOT 1024u
#define RANDOM   20000u

static uint8_t guest[MEMORY];
static uint64_t buffer[WINDOW / 8];
static uint64_t snapshot[SNAPSHOT / 8];
static uint8_t file[MEMORY];
static struct bareprof_image image;
static struct bareprof_hypercalls calls;
static uintptr_t reg[6];
static int wide;
static int privileged;
static unsigned int copies;
static int resets; /* number of calls of yield() up to the one that resets the counters; 0: none resets them */

/* The runtime calls this function where it yields. yield() can reset the counters, as another CPU might. */
void yield(void);
void yield(void)
{
	if (resets && !--resets)
		bareprof_reset(&image);
}

static size_t copy(void *context, uint64_t to, const void *from, size_t n)
{
	copies++;
	if (context != guest || to < GUEST || to - GUEST > MEMORY || n > MEMORY - (size_t)(to - GUEST))
		return n;
	memcpy(guest + (to - GUEST), from, n);
	return 0;
}

static void serve(const struct vector *v)
{
	unsigned int i;

	memset(&image, 0, sizeof(image));
	for (i = 0; i < BAREPROF_SECTIONS; i++) {
		image.section[i].start = v->start_stop[i][0];
		image.section[i].size = (size_t)(v->start_stop[i][1] - v->start_stop[i][0]);
	}
	check(!bareprof_image_init(&image, v->declared | (uint64_t)v->declared_bits << 32), "learnt", v->name);
	memset(&calls, 0, sizeof(calls));
	calls.image = &image;
	calls.copy = copy;
	calls.buffer = buffer;
	calls.window = WINDOW;
	calls.open = bareprof_capture_open;
	calls.memory = snapshot;
	calls.memory_size = SNAPSHOT;
	bareprof_hypercalls_start(&calls);
	privileged = 1;
}

/* Returns @argument with bits set in the upper half of the register. 32-bit functions must ignore these bits. */
static uintptr_t dirty(uintptr_t argument)
{
	return sizeof(argument) == 8 ? (uint32_t)argument | (uintptr_t)0xfffffffe << 16 << 16 : argument;
}

static intptr_t run_call(void)
{
	bareprof_hypercall(&calls, reg, guest, privileged);
	return (intptr_t)reg[0];
}

static intptr_t call(uint32_t function, uintptr_t first)
{
	memset(reg, 0xee, sizeof(reg));
	reg[0] = dirty((wide ? BAREPROF_HYPERCALL_64 : BAREPROF_HYPERCALL_32) + function);
	reg[1] = wide ? first : dirty(first);
	return run_call();
}

static intptr_t fetch(uint32_t function, uintptr_t position, uint64_t address, uintptr_t length, uintptr_t serial)
{
	memset(reg, 0xee, sizeof(reg));
	reg[0] = dirty((wide ? BAREPROF_HYPERCALL_64 : BAREPROF_HYPERCALL_32) + function);
	reg[1] = wide ? position : dirty(position);
	reg[2] = wide ? (uintptr_t)address : dirty((uintptr_t)address);
	reg[3] = wide ? length : dirty((uintptr_t)(address >> 32));
	reg[4] = wide ? serial : dirty(length);
	reg[5] = dirty(serial);
	return run_call();
}

static intptr_t reads(uintptr_t position, uintptr_t length)
{
	return fetch(BAREPROF_HYPERCALL_READ, position, GUEST, length, calls.serial);
}

/* Reads the whole profile in windows of @n bytes into file[]. Returns the size of the profile, or an error. */
static intptr_t all_windows(uintptr_t n)
{
	uintptr_t at = 0;
	intptr_t got;

	while ((got = reads(at, n)) > 0) {
		memcpy(file + at, guest, (size_t)got);
		at += (uintptr_t)got;
	}
	return got ? got : (intptr_t)at;
}

static void test_windows(const struct vector *v)
{
	size_t size = (size_t)(v->file_end - v->file);
	uintptr_t n;
	int good = 1;

	for (wide = 0; wide < (sizeof(uintptr_t) == 8) + 1; wide++) {
		good &= call(BAREPROF_HYPERCALL_INFO, 0) == 0 && reg[1] == size && reg[2] == calls.serial &&
		        reg[3] == WINDOW;
		for (n = 1; n <= WINDOW + 8; n += n < 16 ? 1 : 11) {
			memset(file, 0, sizeof(file));
			good &= all_windows(n) == (intptr_t)size && equal(file, v->file, size);
		}
	}
	check(good, "windows of any size put together are the file", v->name);
}

static void test_blocks(const struct vector *v)
{
	uint64_t block[WINDOW / 8];
	size_t at;
	uint32_t i;
	int good = 1;

	for (wide = 0; wide < (sizeof(uintptr_t) == 8) + 1; wide++) {
		good &= call(BAREPROF_HYPERCALL_INFO, 1) == 0 && reg[1] == calls.capture.blocks && reg[3] <= WINDOW;
		for (i = 0, at = 0; i < calls.capture.blocks; i++) {
			intptr_t n = fetch(BAREPROF_HYPERCALL_BLOCK, i, GUEST + at, WINDOW, calls.serial);

			good &= n > 0 && n == bareprof_block(&calls.capture, i, block, sizeof(block)) &&
			        equal(guest + at, block, (size_t)n);
			/* If the guest passes a size that is too small, the second result is the size of the block. */
			good &= fetch(BAREPROF_HYPERCALL_BLOCK, i, GUEST, (uintptr_t)n - 1, calls.serial) ==
			                BAREPROF_HYPERCALL_NO_SPACE &&
			        reg[1] == (uintptr_t)n;
			at += (size_t)n;
		}
		good &= fetch(BAREPROF_HYPERCALL_BLOCK, i, GUEST, WINDOW, calls.serial) == 0;
	}
	check(good, "blocks are those of the capture", v->name);
}

/* Resets the counters while a window is read, at each point where the runtime yields. */
static void test_reset_within(const struct vector *v)
{
	static uint8_t before[SNAPSHOT];
	uint8_t *cnts = v->start_stop[BAREPROF_CNTS][0];
	size_t size = (size_t)(v->start_stop[BAREPROF_BITS][1] - cnts);
	int good = 1;
	int seen = 0;
	int at;

	wide = 0;
	memcpy(before, cnts, size);
	for (at = 1; at < 2 * BAREPROF_SECTIONS; at++) {
		intptr_t n;

		call(BAREPROF_HYPERCALL_INFO, 0);
		memset(guest, CANARY, sizeof(guest));
		resets = at;
		n = reads(0, WINDOW);
		if (!resets) {
			seen++;
			good &= n == BAREPROF_HYPERCALL_STALE && all(guest, CANARY, sizeof(guest));
		}
		resets = 0;
		memcpy(cnts, before, size);
	}
	check(good && seen > BAREPROF_SECTIONS, "a reset while a window is read makes it stale, and nothing is copied",
		v->name);
}

static void test_resets(void)
{
	uint32_t serial;
	int good;

	wide = sizeof(uintptr_t) == 8;
	call(BAREPROF_HYPERCALL_INFO, 0);
	serial = calls.serial;
	good = call(BAREPROF_HYPERCALL_RESET, serial + 1) == BAREPROF_HYPERCALL_STALE && reads(0, 8) == 8 &&
	       call(BAREPROF_HYPERCALL_RESET, serial) == 0 && image.generation == 1;
	check(good, "a reset, of what the caller has seen only", NULL);
	good = fetch(BAREPROF_HYPERCALL_READ, 0, GUEST, 8, serial) == BAREPROF_HYPERCALL_STALE &&
	       fetch(BAREPROF_HYPERCALL_BLOCK, 0, GUEST, WINDOW, serial) == BAREPROF_HYPERCALL_STALE &&
	       fetch(BAREPROF_HYPERCALL_READ, 1 << 20, GUEST, 8, serial) == BAREPROF_HYPERCALL_STALE &&
	       call(BAREPROF_HYPERCALL_RESET, serial) == BAREPROF_HYPERCALL_STALE && image.generation == 1;
	check(good, "after it all is stale, the end too", NULL);
	call(BAREPROF_HYPERCALL_INFO, 0);
	check(reg[2] == calls.serial && calls.serial != serial && reads(0, 8) == 8, "until INFO is asked", NULL);

	serial = calls.serial;
	bareprof_reset(&image);
	good = reads(0, 8) == BAREPROF_HYPERCALL_STALE &&
	       call(BAREPROF_HYPERCALL_RESET, serial) == BAREPROF_HYPERCALL_STALE;
	good &= call(BAREPROF_HYPERCALL_INFO, 1) == 0 && reg[2] != serial && reads(0, 8) == 8 &&
	        fetch(BAREPROF_HYPERCALL_BLOCK, 0, GUEST, WINDOW, calls.serial) > 0;
	check(good, "so it is when the hypervisor resets", NULL);
	if (wide)
		check(fetch(BAREPROF_HYPERCALL_READ, 0, GUEST, 8, calls.serial | (uintptr_t)1 << 16 << 16) ==
				BAREPROF_HYPERCALL_STALE,
			"a serial is the whole register", NULL);
}

static void test_snapshots(const struct vector *v)
{
	size_t size = (size_t)(v->file_end - v->file);
	uint8_t *cnts = v->start_stop[BAREPROF_CNTS][0];
	uint32_t serial = calls.serial;
	int good;

	*cnts = 3;
	good = call(BAREPROF_HYPERCALL_SNAPSHOT, 0) == 0;
	good &= fetch(BAREPROF_HYPERCALL_READ, 0, GUEST, 8, serial) == BAREPROF_HYPERCALL_STALE;
	all_windows(64);
	memcpy(guest + MEMORY / 2, file, size);
	*cnts ^= 0x55;
	good &= all_windows(WINDOW) == (intptr_t)size && equal(file, guest + MEMORY / 2, size);
	check(good, "a snapshot stays what it was", NULL);
	bareprof_reset(&image);
	check(all_windows(WINDOW) == (intptr_t)size && equal(file, guest + MEMORY / 2, size),
		"also when the hypervisor resets", NULL);
	good = call(BAREPROF_HYPERCALL_RESET, calls.serial) == 0 && all_windows(WINDOW) == (intptr_t)size &&
	       !equal(file, guest + MEMORY / 2, size);
	check(good, "a reset ends it", NULL);
	calls.memory_size = BAREPROF_SNAPSHOT_SIZE(&image) - 1;
	serial = calls.serial;
	good = call(BAREPROF_HYPERCALL_SNAPSHOT, 0) == BAREPROF_HYPERCALL_NOT_SUPPORTED;
	calls.memory = NULL;
	calls.memory_size = SNAPSHOT;
	good &= call(BAREPROF_HYPERCALL_SNAPSHOT, 0) == BAREPROF_HYPERCALL_NOT_SUPPORTED && serial == calls.serial &&
	        reads(0, 8) == 8;
	check(good, "without memory for it there is none, and all stays as it was", NULL);
}

/*
 * A hypervisor can offer the profile as a .profraw and as a capture. If one of the two is missing, INFO must return the
 * reason.
 */
static void test_none(const struct vector *v)
{
	int good;

	serve(v);
	calls.open = NULL;
	bareprof_hypercalls_start(&calls);
	good = call(BAREPROF_HYPERCALL_INFO, 1) == BAREPROF_HYPERCALL_NOT_SUPPORTED &&
	       fetch(BAREPROF_HYPERCALL_BLOCK, 0, GUEST, WINDOW, calls.serial) == BAREPROF_HYPERCALL_NOT_SUPPORTED;
	check(good && reads(0, 8) == 8, "no captures where the hypervisor has none", NULL);
	calls.open = bareprof_capture_open;
	calls.window = 64;
	bareprof_hypercalls_start(&calls);
	good = call(BAREPROF_HYPERCALL_INFO, 1) == BAREPROF_HYPERCALL_NONE && reg[1] == 1 &&
	       fetch(BAREPROF_HYPERCALL_BLOCK, 0, GUEST, WINDOW, calls.serial) == BAREPROF_HYPERCALL_NONE &&
	       reg[1] == 1;
	check(good && reads(0, 8) == 8, "nor where a window is too small for a block", NULL);
	calls.window = WINDOW;
	image.section[BAREPROF_NAMES].size = 0;
	bareprof_hypercalls_start(&calls);
	good = call(BAREPROF_HYPERCALL_INFO, 0) == BAREPROF_HYPERCALL_NONE && reg[1] == 17 &&
	       reads(0, 8) == BAREPROF_HYPERCALL_NONE && reg[1] == 17;
	good &= call(BAREPROF_HYPERCALL_INFO, 1) == 0 &&
	        fetch(BAREPROF_HYPERCALL_BLOCK, 0, GUEST, WINDOW, calls.serial) > 0;
	check(good, "without names there are captures only", NULL);
	serve(v);
	image.value_sites = 1;
	bareprof_hypercalls_start(&calls);
	good = call(BAREPROF_HYPERCALL_INFO, 0) == BAREPROF_HYPERCALL_NONE && reg[1] == 18 &&
	       call(BAREPROF_HYPERCALL_INFO, 1) == BAREPROF_HYPERCALL_NONE && reg[1] == 18;
	check(good, "nothing where lists of values are not held", NULL);
	serve(v);
	if (sizeof(size_t) == 8) {
		wide = 0;
		calls.dump.size = (size_t)0x10000 << 16;
		good = call(BAREPROF_HYPERCALL_INFO, 0) == BAREPROF_HYPERCALL_NOT_SUPPORTED && !reg[1] && !reg[2] &&
		       !reg[3];
		wide = 1;
		check(good && call(BAREPROF_HYPERCALL_INFO, 0) == 0 && reg[1] == calls.dump.size,
			"a size of 33 bits is not said in 32", NULL);
		serve(v);
	}
}

static void test_denied(void)
{
	uint32_t f;
	int good = 1;

	privileged = 0;
	copies = 0;
	memset(guest, CANARY, sizeof(guest));
	for (wide = 0; wide < (sizeof(uintptr_t) == 8) + 1; wide++)
		for (f = BAREPROF_HYPERCALL_INFO; f <= BAREPROF_HYPERCALL_SNAPSHOT; f++) {
			good &= fetch(f, 0, GUEST, 8, calls.serial) == BAREPROF_HYPERCALL_DENIED && !reg[1] &&
			        !reg[2] && !reg[3];
			good &= call(f, calls.serial) == BAREPROF_HYPERCALL_DENIED;
		}
	check(good && !copies && !image.generation && all(guest, CANARY, sizeof(guest)),
		"who is not privileged gets nothing, and does nothing", NULL);
	wide = 0;
	good = (uint32_t)call(BAREPROF_HYPERCALL_UID, 0) == BAREPROF_HYPERCALL_UID_0 &&
	       reg[3] == BAREPROF_HYPERCALL_UID_3 && call(BAREPROF_HYPERCALL_REVISION, 0) == BAREPROF_HYPERCALL_MAJOR &&
	       reg[1] == BAREPROF_HYPERCALL_MINOR;
	check(good, "but the UID and the revision", NULL);
	privileged = 1;
}

static void test_addresses(void)
{
	int good;

	wide = 0;
	copies = 0;
	good = fetch(BAREPROF_HYPERCALL_READ, 0, ~(uint64_t)0, 1, calls.serial) == BAREPROF_HYPERCALL_FAULT &&
	       fetch(BAREPROF_HYPERCALL_READ, 0, ~(uint64_t)0 - 6, 7, calls.serial) == BAREPROF_HYPERCALL_FAULT &&
	       fetch(BAREPROF_HYPERCALL_READ, 0, ~(uint64_t)0 - 6, WINDOW, calls.serial) == BAREPROF_HYPERCALL_FAULT;
	check(good && !copies, "a window over the end of all addresses is not even tried", NULL);
	good = fetch(BAREPROF_HYPERCALL_READ, 0, GUEST + MEMORY - 7, 8, calls.serial) == BAREPROF_HYPERCALL_FAULT &&
	       copies == 1 && fetch(BAREPROF_HYPERCALL_READ, 0, GUEST + MEMORY - 8, 8, calls.serial) == 8;
	check(good, "where the hypervisor cannot copy is a fault", NULL);
	good = fetch(BAREPROF_HYPERCALL_READ, 0, GUEST + ((uint64_t)1 << 32), 8, calls.serial) ==
	       BAREPROF_HYPERCALL_FAULT;
	check(good, "an address has 64 bits", NULL);
	copies = 0;
	check(reads(0, 0) == BAREPROF_HYPERCALL_ARGUMENT && reads(~(uintptr_t)0, 8) == 0 && !copies,
		"nothing to be copied is nothing copied", NULL);
}

/*
 * Makes calls with random registers. Only READ and BLOCK may write to the guest, and they may write only as many
 * bytes as they return. Only RESET and SNAPSHOT may change the state of the dispatcher, which is in calls.
 */
static void test_random(void)
{
	static struct bareprof_hypercalls before;
	unsigned int done = 0;
	unsigned int i;
	unsigned int j;
	int good = 1;

	for (i = 0; i < RANDOM && good; i++) {
		uint32_t function = BAREPROF_HYPERCALL_FIRST - 1 + random() % 8;
		intptr_t n;

		memcpy(&before, &calls, sizeof(calls));
		memset(guest, CANARY, sizeof(guest));
		copies = 0;
		reg[0] = (random() & 1 ? BAREPROF_HYPERCALL_64 : BAREPROF_HYPERCALL_32) + function;
		wide = sizeof(*reg) == 8 && reg[0] & 0x40000000;
		for (j = 1; j < 6; j++)
			reg[j] = (uintptr_t)random() >> random() % 32 ^ (uintptr_t)random() << 16 << random() % 17;
		if (i & 1) {
			/*
			 * Every second call has arguments with which it can succeed. SNAPSHOT and RESET are
			 * exceptions.
			 */
			reg[1] &= function == BAREPROF_HYPERCALL_READ ? 255 : 7;
			reg[2] = GUEST + random() % MEMORY;
			reg[3] = wide ? reg[3] : 0;
			reg[4] = wide ? calls.serial : reg[4];
			reg[5] = calls.serial;
		}
		n = run_call();
		if (function != BAREPROF_HYPERCALL_READ && function != BAREPROF_HYPERCALL_BLOCK)
			good &= !copies && n <= 0;
		if (function != BAREPROF_HYPERCALL_RESET && function != BAREPROF_HYPERCALL_SNAPSHOT)
			good &= equal(&before, &calls, sizeof(calls));
		for (j = 0; j < MEMORY && guest[j] == CANARY;)
			j++;
		if (n > 0)
			done++;
		else
			good &= j == MEMORY;
		good &= n <= (intptr_t)WINDOW && n >= BAREPROF_HYPERCALL_NONE && copies <= 1;
	}
	note("random calls that had something:", "", done);
	check(good && done > RANDOM / 40, "random calls write nothing but what they say", NULL);
}

int test(void)
{
	const struct vector *v;

	for (v = vectors; v < vectors_end; v++) {
		serve(v);
		test_windows(v);
		test_blocks(v);
		test_reset_within(v);
	}
	v = vectors;
	serve(v);
	test_resets();
	serve(v);
	test_snapshots(v);
	test_none(v);
	test_denied();
	test_addresses();
	test_random();
	return 0;
}
