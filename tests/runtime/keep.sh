#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# keep.sh - tests the validity words of kept counts. The counts of this build are found again, in place and in a copy.
# Nothing else is: other contents of RAM, another build, a changed bit, or a reset that was interrupted.
. "$(dirname "$0")/../lib.sh"
. tests/runtime/lib.sh

cat >"$WORK/keep.c" <<'END'
#include <bareprof/keep.h>
#include <bareprof/snapshot.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int counted(int n); /* the only instrumented function */

static struct bareprof_image image, then, found;
static struct bareprof_dump dump;
static uint8_t before[4096], after[4096];

/* RAM that survives a reset. */
static struct {
	struct bareprof_keep keep;
	uint64_t copy[64];
} ram;
#define KEPT() bareprof_kept(&ram.keep, &found, &image)

/* Fills memory as the runtime does. If @broken is set, a reset of the machine interrupts this. */
static jmp_buf reset_of_machine;
static int broken;

void bareprof_fill(void *to, int byte, size_t n)
{
	memset(to, byte, broken ? n / 2 : n);
	if (broken)
		longjmp(reset_of_machine, 1);
}

void bareprof_copy(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
}

static void say(int good, const char *what)
{
	printf("%sok - keep: %s\n", good ? "" : "not ", what);
}

/* Returns 1 if no bit of the @n bytes at @memory can change without notice. */
static int every_bit_counts(void *memory, size_t n)
{
	uint8_t *byte = memory;
	size_t i;

	for (i = 0; i < 8 * n; i++) {
		byte[i / 8] ^= (uint8_t)(1 << i % 8);
		if (KEPT())
			return 0;
		byte[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	return KEPT();
}

/* Returns 1 if a .profraw of @kept is the same as the one in before[]. */
static int same(const struct bareprof_image *kept)
{
	intptr_t n = bareprof_write(&dump, kept, after, sizeof(after));

	return n > 0 && !memcmp(before, after, (size_t)n);
}

static void remember(void)
{
	say(bareprof_write(&dump, &image, before, sizeof(before)) > 0, "a profile is written");
}

static void other_ram(void)
{
	unsigned int i;
	int taken = 0;

	memset(&ram, 0, sizeof(ram));
	taken += KEPT();
	memset(&ram, 0xff, sizeof(ram));
	taken += KEPT();
	for (i = 0; i < 100000; i++) {
		size_t k;

		for (k = 0; k < sizeof(ram.keep); k++)
			((uint8_t *)&ram.keep)[k] = (uint8_t)(rand() >> 8);
		if (i & 1)
			ram.keep.magic = 0x7470656b;
		taken += KEPT();
	}
	say(!taken, "RAM with other contents is not taken for counts");
}

static void in_place(void)
{
	say(bareprof_keep_start(&ram.keep, &image, 77) == 0 && image.generation == 0, "the counters are reset and kept");
	counted(1);
	counted(1);
	remember();
	say(KEPT() && ram.keep.nonce == 77 && found.generation == image.generation && same(&found), "in place, they are found");
	say(every_bit_counts(&ram.keep, sizeof(ram.keep)), "in place, every bit of the words counts");
	if (!setjmp(reset_of_machine)) {
		broken = 1;
		bareprof_keep_reset(&ram.keep, &image);
	}
	broken = 0;
	say(!KEPT(), "if a reset of the counters is interrupted, they are not kept");
	bareprof_keep_reset(&ram.keep, &image);
	say(KEPT() && found.generation == 2 && ram.keep.nonce == 77, "after the next reset, they are kept again");
	bareprof_keep_forget(&ram.keep);
	say(!KEPT(), "counts can be forgotten");
}

static void in_a_copy(void)
{
	counted(0);
	remember();
	say(bareprof_snapshot(&then, &image, ram.copy, sizeof(ram.copy)) == 0 && bareprof_keep(&ram.keep, &then, 79) == 0, "a copy is kept");
	bareprof_reset(&image);
	say(KEPT() && found.section[BAREPROF_CNTS].start == ram.copy && same(&found), "the copy is found, though the counters were reset");
	say(every_bit_counts(&ram, sizeof(ram.keep) + ram.keep.size), "every bit of the words and of the copy counts");
}

static void other_builds(void)
{
	uint8_t id[20] = {1, 2, 3};

	image.section[BAREPROF_BUILD_ID].start = id;
	image.section[BAREPROF_BUILD_ID].size = sizeof(id);
	say(!KEPT(), "counts of another build are not taken");
	image.section[BAREPROF_BUILD_ID].size = 0;
	image.section[BAREPROF_CNTS].size -= 8;
	say(!KEPT(), "nor counts of another size");
	image.section[BAREPROF_CNTS].size += 8;
	say(KEPT(), "those of this build are");
	image.section[BAREPROF_DATA].size = 0;
	say(!KEPT() && bareprof_keep(&ram.keep, &image, 1) == BAREPROF_E_NO_RECORDS && !KEPT(), "without build id and records, nothing is kept");
}

int main(void)
{
	say(bareprof_image_self(&image) == BAREPROF_OK, "the image is sound");
	other_ram();
	in_place();
	in_a_copy();
	other_builds();
	return 0;
}
END
counting_program keep symbols image_self image_walk image reset profraw profraw_write read snapshot keep crc32c
