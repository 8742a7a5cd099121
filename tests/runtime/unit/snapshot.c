/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.c - tests snapshots and drains. The .profraw of a snapshot must be the .profraw that the image had at
 * the moment of the snapshot, even if the image changes later. Drains must lose no count while another process counts.
 */
#include "host.h"
#include "images.h"

#include <bareprof/snapshot.h>

#define CANARY 0xa5

static uint64_t memory[SCRATCH / 8];
static uint8_t before[SCRATCH];
static struct bareprof_image image;
static struct bareprof_image then;
static struct bareprof_dump dump;
static struct bareprof_dump open_before;

static int is_file(const struct bareprof_image *of, const struct vector *v)
{
	intptr_t size = v->file_end - v->file;

	memset(scratch, CANARY, SCRATCH);
	return bareprof_write(&dump, of, scratch, SCRATCH) == size && equal(scratch, v->file, (size_t)size);
}

/* The addresses of the image's counters and bitmaps, and their sizes in bytes. */
struct live {
	uint8_t *cnts, *bits;
	size_t counters, bitmap;
};

static int held(const struct live *l, uint8_t *area, size_t taken)
{
	return all((uint8_t *)memory + taken, CANARY, sizeof(memory) - taken) && area[0] == l->cnts[-1] &&
	       area[1] == l->bits[l->bitmap];
}

static int too_small(size_t size)
{
	struct bareprof_image untouched;

	memset(&then, CANARY, sizeof(then));
	memset(&untouched, CANARY, sizeof(untouched));
	memcpy(before, image.section[BAREPROF_CNTS].start, image.section[BAREPROF_CNTS].size);
	return bareprof_snapshot(&then, &image, memory, size - 1) == BAREPROF_E_NO_SPACE &&
	       bareprof_drain(&then, &image, memory, size - 1) == BAREPROF_E_NO_SPACE && !image.generation &&
	       equal(&then, &untouched, sizeof(then)) && all(memory, CANARY, sizeof(memory)) &&
	       equal(before, image.section[BAREPROF_CNTS].start, image.section[BAREPROF_CNTS].size);
}

void test_snapshot(const struct vector *v)
{
	uint8_t never = v->declared_bits & 0x10000000 ? 0xff : 0;
	struct live l;
	uint8_t around[2];
	size_t size;

	if (!check(!set_up(&image, v), "set up", v->name))
		return;
	l.cnts = v->start_stop[BAREPROF_CNTS][0];
	l.bits = v->start_stop[BAREPROF_BITS][0];
	l.counters = (size_t)(v->start_stop[BAREPROF_CNTS][1] - l.cnts);
	l.bitmap = (size_t)(v->start_stop[BAREPROF_BITS][1] - l.bits);
	size = l.counters + l.bitmap;
	around[0] = l.cnts[-1];
	around[1] = l.bits[l.bitmap];
	memcpy(before, l.cnts, l.counters);
	memcpy(before + l.counters, l.bits, l.bitmap);
	memset(memory, CANARY, sizeof(memory));
	check(BAREPROF_SNAPSHOT_SIZE(&image) == size && too_small(size), "no snapshot or drain where there is no room",
		v->name);

	check(!bareprof_snapshot(&then, &image, memory, size) && held(&l, around, size) && is_file(&then, v),
		"a snapshot's file is the image's", v->name);
	if (bareprof_open(&open_before, &image))
		return;
	memset(l.cnts, 1, l.counters);
	check(is_file(&then, v) && then.section[BAREPROF_CNTS].start == memory, "also when it has gone on counting",
		v->name);
	memcpy(l.cnts, before, l.counters);
	check(bareprof_read(&open_before, 0, scratch, SCRATCH) > 0, "a snapshot makes no dump stale", v->name);

	memset(memory, CANARY, sizeof(memory));
	check(!bareprof_drain(&then, &image, memory, size) && held(&l, around, size) && is_file(&then, v),
		"a drain's file is the image's", v->name);
	check(all(l.cnts, never, l.counters) && all(l.bits, 0, l.bitmap), "and the image starts from nothing", v->name);
	check(image.generation == 1 && !then.generation &&
			bareprof_read(&open_before, 0, scratch, SCRATCH) == BAREPROF_E_STALE,
		"a drain is a reset: the open dump is stale", v->name);
	check(!bareprof_open(&open_before, &then) && !bareprof_drain(&then, &image, memory, size) &&
			bareprof_read(&open_before, 0, scratch, 0) == BAREPROF_E_STALE,
		"a drain into the same memory makes what is open of the last stale", v->name);
	memcpy(l.cnts, before, l.counters);
	memcpy(l.bits, before + l.counters, l.bitmap);
}

/*
 * The memory that two processes share. It has the counters of the process that counts, and the state of that process.
 */
#define COUNTERS 5u
#define EDGE     3u /* bytes before the bitmap, so that its first byte is in the middle of a word */
#define BITS     21u
#define ENOUGH   2000u /* stop after the drains have found this many counters that are not zero */
struct shared {
	uint64_t counted[COUNTERS];
	uint64_t total[COUNTERS];
	uint8_t edge[EDGE];
	uint8_t bits[BITS];
	size_t rounds;
	int stop;
	int stopped;
};

/*
 * Increases a counter as compiled code does. On x86_64, this is one addition of 64 bits. On i386, it works as on
 * 32-bit Arm (arch/arm/atomic.c): it adds to the lower half, and then adds the carry to the upper half.
 */
static void add(uint64_t *counter, uint64_t n)
{
#ifdef __x86_64__
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
#else
	uint32_t *half = (uint32_t *)counter;
	uint32_t low = __atomic_fetch_add(half, (uint32_t)n, __ATOMIC_RELAXED);

	__atomic_fetch_add(half + 1, (uint32_t)(n >> 32) + (low + (uint32_t)n < low), __ATOMIC_RELAXED);
#endif
}

/*
 * Increases the first counter by 1. Each other counter grows by a number so large that its lower half overflows every
 * few calls.
 */
static void count(uint8_t *p)
{
	struct shared *s = (struct shared *)p;
	unsigned int i;

	if (__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
		__atomic_store_n(&s->stopped, 1, __ATOMIC_RELEASE);
		return;
	}
	for (i = 0; i < COUNTERS; i++) {
		uint64_t n = i ? 0x70000001u + i : 1;

		add(&s->counted[i], n);
		s->total[i] += n;
	}
	__atomic_fetch_or(&s->bits[s->rounds % BITS], (uint8_t)(1u << s->rounds / BITS % 8), __ATOMIC_RELAXED);
	__atomic_store_n(&s->rounds, s->rounds + 1, __ATOMIC_RELEASE);
}

/* Drains, and adds the result to @sum and @bits. Returns the number of counters that were not zero. */
static unsigned int drain(uint64_t *sum, uint8_t *bits)
{
	const uint64_t *taken = memory;
	unsigned int some = 0;
	unsigned int i;

	if (bareprof_drain(&then, &image, memory, sizeof(memory)))
		return 0;
	for (i = 0; i < COUNTERS; i++) {
		sum[i] += taken[i];
		some += taken[i] != 0;
	}
	for (i = 0; i < BITS; i++)
		bits[i] |= ((const uint8_t *)(taken + COUNTERS))[i];
	return some;
}

void test_drain_beside(void)
{
	uint64_t sum[COUNTERS] = {0};
	uint8_t bits[BITS] = {0};
	struct shared *s;
	uint8_t *p;
	intptr_t process = beside(count, &p, 1);
	unsigned int some = 0;
	unsigned int i;

	s = (struct shared *)p;
	if (!check(p != NULL, "another process counts", "drain"))
		return;
	memset(&image, 0, sizeof(image));
	image.section[BAREPROF_CNTS].start = s->counted;
	image.section[BAREPROF_CNTS].size = sizeof(s->counted);
	image.section[BAREPROF_BITS].start = s->bits;
	image.section[BAREPROF_BITS].size = BITS;
	check(!bareprof_image_init(&image, 10) && ((uintptr_t)s->bits & 3), "its counters alone", "drain");
	for (i = 0; i < 1u << 28 && (some < ENOUGH || __atomic_load_n(&s->rounds, __ATOMIC_ACQUIRE) < 100000); i++)
		some += drain(sum, bits);
	__atomic_store_n(&s->stop, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&s->stopped, __ATOMIC_ACQUIRE))
		;
	beside_end(process);
	drain(sum, bits);
	note("drains found counters at work, times", "drain", some);
	check(some >= ENOUGH && s->rounds >= 100000, "there was enough to find", "drain");
	for (i = 0; i < COUNTERS; i++)
		check(sum[i] == s->total[i], "all drains add up to all that was counted",
			i ? "by so much that it carries" : "by ones");
	check(all(bits, 0xff, BITS) && all(s->edge, 0, EDGE), "no bit of the bitmap is lost", "drain");
}
