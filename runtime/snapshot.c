/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.c - copies the counters of an image, and makes an image of the copy. A drain also
 * sets the live counters to their start value, so that they start to count again.
 */
#include <bareprof/snapshot.h>

#include "atomic.h"
#include "mask.h"
#include "values_serialize.h"

struct unaligned_word {
	bareprof_word value;
} __attribute__((packed));

/*
 * Makes *@to an image that shares all sections with *@from, except those that a run changes.
 * Reserves memory for these sections in @buf, but does not copy them.
 */
static int share(struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size)
{
	struct bareprof_slice *cnts = &to->section[BAREPROF_CNTS];

	if (size < BAREPROF_SNAPSHOT_SIZE(from))
		return BAREPROF_E_NO_SPACE;
	bareprof_copy(to, from, sizeof(*to));
	cnts->start = buf;
	to->section[BAREPROF_BITS].start = (const uint8_t *)buf + cnts->size;
	if (bareprof_live_sections(from) > 2) {
		cnts[2].start = (const uint8_t *)cnts[1].start + cnts[1].size;
		cnts[3].start = (const uint8_t *)cnts[2].start + cnts[2].size;
	}
	return BAREPROF_OK;
}

int bareprof_snapshot(struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size)
{
	int error = share(to, from, buf, size);
	unsigned int i;

	for (i = BAREPROF_CNTS; !error && i < BAREPROF_CNTS + bareprof_live_sections(from); i++)
		bareprof_copy((void *)(uintptr_t)to->section[i].start, from->section[i].start, from->section[i].size);
	return error;
}

/*
 * If the runtime cannot mask interrupts on a target, this function is missing and the link
 * fails. That is better than a snapshot that only claims to be masked.
 */
#ifdef BAREPROF_MASK
int bareprof_snapshot_masked(struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size)
{
	uintptr_t state = BAREPROF_MASK();
	int error = bareprof_snapshot(to, from, buf, size);

	BAREPROF_UNMASK(state);
	return error;
}
#endif

/*
 * Moves words from @from to @to and leaves @start in their place. On 32-bit CPUs a word is
 * half a counter of 8 bytes, for which @start is 0. Still no count is lost. Consider the sum of
 * the counters in @to and @from. An exchange does not change this sum, and an increment adds 1
 * to it. When an increment makes the lower half wrap, the sum lacks 2^32 until the carry is
 * added to the upper half. If the upper half is moved before the carry is added, the carry goes
 * into the new upper half in @from. Then the sum is right again.
 */
static void drain(const struct bareprof_slice *to, const struct bareprof_slice *from, uintptr_t start)
{
	uint8_t *d = (uint8_t *)(uintptr_t)to->start;
	uint8_t *s = (uint8_t *)(uintptr_t)from->start;
	uint8_t *end = s + from->size;

	while (s < end) {
		size_t step = sizeof(bareprof_word);

		if ((uintptr_t)s & (sizeof(bareprof_word) - 1) || (size_t)(end - s) < sizeof(bareprof_word)) {
			*d = bareprof_atomic_exchange_byte(s, (uint8_t)start);
			step = 1;
		} else {
			((struct unaligned_word *)d)->value = bareprof_atomic_exchange((bareprof_word *)s, start);
		}
		d += step;
		s += step;
	}
}

int bareprof_drain(struct bareprof_image *to, struct bareprof_image *from, void *buf, size_t size)
{
	int error = share(to, from, buf, size);

	if (error)
		return error;
	from->generation++;
	drain(&to->section[BAREPROF_CNTS], &from->section[BAREPROF_CNTS],
		(uintptr_t)(intptr_t)bareprof_counter_start(from));
	drain(&to->section[BAREPROF_BITS], &from->section[BAREPROF_BITS], from->machine ? ~(uintptr_t)0 : 0);
	if (bareprof_live_sections(from) > 2) {
		struct bareprof_slice copied[3];
		struct bareprof_slice part[3];

		bareprof_split_blocks(copied, &to->section[BAREPROF_BITS + 1], from);
		bareprof_split_blocks(part, &from->section[BAREPROF_BITS + 1], from);
		drain(&copied[0], &part[0], ~(uintptr_t)0);
		drain(&copied[1], &part[1], 0);
		drain(&copied[2], &part[2], 0);
	}
	return BAREPROF_OK;
}
