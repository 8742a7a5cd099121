/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocks.c - a Linux program with block bytes of `mip cc`, which start as 0xff, and of clang's counters, which start as
 * 0. After each call that sets start values, it requires these values. It writes the profile in several ways into the
 * folder that its argument names.
 */
#include <bareprof/mip.h>
#include <bareprof/snapshot.h>

#include <unistd.h>

#include "hosted.h"

BAREPROF_MIP_RING(4);
void ours_work(void);
void clangs_work(void);

static struct bareprof_image image;
static struct bareprof_image copy;
static struct bareprof_dump dump;
static struct bareprof_capture capture;
static unsigned char block[256];
static unsigned char memory[4096];
static uint64_t taken[128];

static void read_raw(const char *name, const struct bareprof_image *from)
{
	bareprof_mip_open(&dump, from);
	REQUIRE(dump.size <= sizeof(memory) && bareprof_read(&dump, 0, memory, dump.size) == (intptr_t)dump.size);
	put(name, memory, dump.size);
}

/* Returns how many of the block bytes from @first up to @end are not @start. */
static size_t changed(size_t first, size_t end, unsigned char start)
{
	const unsigned char *byte = image.section[BAREPROF_MIP_BLOCKS].start;
	size_t n = 0;

	for (; first < end; first++)
		n += byte[first] != start;
	return n;
}

/* Runs all blocks, and requires that bytes of both producers had their start value before and have another one now. */
static void work(void)
{
	size_t end = image.section[BAREPROF_MIP_BLOCKS].size;
	size_t middle = end - image.section[BAREPROF_MIP_CLANG_BLOCKS].size;

	REQUIRE(middle > 0 && middle < end);
	REQUIRE(!changed(0, middle, BAREPROF_MIP_BLOCKS_START) && !changed(middle, end, 0));
	ours_work();
	clangs_work();
	/* A loop of 300 turns must not bring a byte of `mip cc` back to its start value. */
	REQUIRE(changed(0, middle, BAREPROF_MIP_BLOCKS_START) >= 3 && changed(middle, end, 0) >= 3);
}

int main(int argc, char **argv)
{
	FILE *file;

	REQUIRE(argc == 2 && !chdir(argv[1]));
	REQUIRE(!bareprof_mip_image_self(&image));
	work();
	read_raw("loaded.mipraw", &image);
	REQUIRE(!bareprof_mip_start(&image));
	work();
	bareprof_reset(&image);
	work();
	file = create("text.log");
	REQUIRE(!bareprof_capture_open(&capture, &image, 1, block, sizeof(block)));
	REQUIRE(!bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, sink, file) && !fclose(file));
	REQUIRE(!bareprof_drain(&copy, &image, taken, sizeof(taken)));
	read_raw("drained.mipraw", &copy);
	work();
	REQUIRE(!bareprof_mip_small_start());
	work();
	file = create("small.log");
	REQUIRE(!bareprof_mip_small_dump(1, block, sizeof(block), bareprof_encode_text, sink, file) && !fclose(file));
	return 0;
}
