#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# start.sh - tests counters in memory that no loader fills. bareprof_start() fills them, and the validity word
# distinguishes the counters of this build from garbage in RAM.
. "$(dirname "$0")/../lib.sh"
. tests/runtime/lib.sh

cat >"$WORK/start.c" <<'END'
#include <bareprof/bareprof.h>
#include <stdio.h>

/* Fills memory with garbage, as after power-on. */
uint32_t __bareprof_valid[2] = {0xdeadbeef, 0x12345678};

int counted(int n); /* the only instrumented function */

static struct bareprof_image image;

static void say(int good, const char *what)
{
	printf("%sok - start: %s\n", good ? "" : "not ", what);
}

static uint64_t sum(void)
{
	const uint64_t *c = image.section[BAREPROF_CNTS].start;
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < image.counters; i++)
		total += c[i];
	return total;
}

int main(void)
{
	uint8_t id[20] = {1, 2, 3};

	counted(1);
	say(bareprof_image_self(&image) == BAREPROF_OK && !bareprof_started(&image), "RAM with garbage is not taken for counters");
	say(sum() != 0, "the counters are not empty yet");
	say(bareprof_start(&image) == BAREPROF_OK && sum() == 0 && image.generation == 0, "start fills them");
	say(bareprof_started(&image), "and says so");
	counted(0);
	say(sum() != 0 && bareprof_started(&image), "counting goes on from there");
	image.section[BAREPROF_BUILD_ID].start = id;
	image.section[BAREPROF_BUILD_ID].size = sizeof(id);
	say(!bareprof_started(&image), "another build's counters are not taken");
	__bareprof_valid[0] ^= 1;
	image.section[BAREPROF_BUILD_ID].size = 0;
	say(!bareprof_started(&image), "nor is a damaged word");
	return 0;
}
END
counting_program start symbols image_self image_walk image reset start crc32c copy
