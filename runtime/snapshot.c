/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.c - an image whose counters are a copy; and one for which they were taken
 * out of the live image, so that they are counted anew.
 */
#include <bareprof/snapshot.h>

#include "atomic.h"

struct unaligned_word {
	bareprof_word value;
} __attribute__((packed));

static int share(struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size)
{
	struct bareprof_slice *cnts = &to->section[BAREPROF_CNTS];

	if (size < BAREPROF_SNAPSHOT_SIZE(from))
		return BAREPROF_E_NO_SPACE;
	bareprof_copy(to, from, sizeof(*to));
	cnts->start = buf;
	to->section[BAREPROF_BITS].start = (const uint8_t *)buf + cnts->size;
	return BAREPROF_OK;
}

int bareprof_snapshot(struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size)
{
	int error = share(to, from, buf, size);
	unsigned int i;

	for (i = BAREPROF_CNTS; !error && i <= BAREPROF_BITS; i++)
		bareprof_copy((void *)(uintptr_t)to->section[i].start, from->section[i].start, from->section[i].size);
	return error;
}

/*
 * Half a counter of 64 bits at a time, on 32-bit CPUs: an exchange moves what it takes
 * from one place to the other, and an increment adds 1 to the sum of both. When the lower
 * half wraps, 2^32 is missing from that sum until the carry comes; it may come to a half
 * that was taken meanwhile, and the sum is right all the same.
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
	/* A byte counter is 0xff until its block has run. */
	drain(&to->section[BAREPROF_CNTS], &from->section[BAREPROF_CNTS],
		from->version & BAREPROF_VARIANT_BYTE_COVERAGE ? ~(uintptr_t)0 : 0);
	drain(&to->section[BAREPROF_BITS], &from->section[BAREPROF_BITS], 0);
	return BAREPROF_OK;
}
