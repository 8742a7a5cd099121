/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hosted.c - a Linux program with a machine profile. It reads the profile in every way that the runtime offers, and
 * writes one file for each way into the folder that its argument names. All files are from the same moment, except
 * "drained" and "rest": together they have twice the calls.
 */
#include <bareprof/hypercall.h>
#include <bareprof/mip.h>
#include <bareprof/snapshot.h>

#include <string.h>
#include <unistd.h>

#include "hosted.h"
#include "work.h"

BAREPROF_STATE;

static struct bareprof_image image;
static struct bareprof_image copy;
static struct bareprof_dump dump;
static struct bareprof_capture capture;
static struct bareprof_hypercalls calls;
static unsigned char block[256];
static unsigned char memory[65536];
static unsigned char taken[4096];

/* Reads the .mipraw in windows of @window bytes. */
static void read_raw(const char *name, const struct bareprof_image *from, size_t window)
{
	size_t at;

	bareprof_mip_open(&dump, from);
	REQUIRE(dump.size <= sizeof(memory));
	for (at = 0; at < dump.size; at += window)
		REQUIRE(bareprof_read(&dump, at, memory + at, window) ==
			(intptr_t)(dump.size - at < window ? dump.size - at : window));
	REQUIRE(bareprof_read(&dump, dump.size, memory, 1) == 0);
	put(name, memory, dump.size);
}

static void send(const char *name, const struct bareprof_image *from, bareprof_encoder form)
{
	FILE *file = create(name);

	REQUIRE(!bareprof_capture_open(&capture, from, 1, block, sizeof(block)));
	REQUIRE(!bareprof_send(&capture, block, sizeof(block), form, sink, file) && !fclose(file));
}

static void send_next(const char *name)
{
	FILE *file = create(name);
	uint32_t index = 0;

	REQUIRE(!bareprof_capture_open(&capture, &image, 1, block, sizeof(block)));
	while (index < capture.blocks) {
		intptr_t n = bareprof_next_block(&capture, &index, block, sizeof(block));

		REQUIRE(n > 0 && !bareprof_encode_text(block, (size_t)n, sink, file));
	}
	REQUIRE(!fclose(file));
}

static size_t to_guest(void *guest, uint64_t to, const void *from, size_t n)
{
	(void)guest;
	memcpy((void *)(uintptr_t)to, from, n);
	return 0;
}

/* Makes the hypercalls of a guest: INFO, BLOCK for each block, RESET. */
static void call(const char *name)
{
	uintptr_t reg[6] = {BAREPROF_HYPERCALL_64 | BAREPROF_HYPERCALL_INFO, BAREPROF_HYPERCALL_CAPTURE};
	static unsigned char got[4096];
	FILE *file = create(name);
	uintptr_t blocks;
	uintptr_t serial;
	uintptr_t i;

	calls.image = &image;
	calls.copy = to_guest;
	calls.buffer = memory;
	calls.window = 4096;
	calls.open = bareprof_capture_open;
	calls.nonce = 1;
	bareprof_hypercalls_start(&calls);
	bareprof_hypercall(&calls, reg, NULL, 1);
	REQUIRE(reg[0] == 0);
	blocks = reg[1];
	serial = reg[2];
	for (i = 0; i < blocks; i++) {
		uintptr_t next[6] = {
			BAREPROF_HYPERCALL_64 | BAREPROF_HYPERCALL_BLOCK, i, (uintptr_t)got, sizeof(got), serial};

		bareprof_hypercall(&calls, next, NULL, 1);
		REQUIRE((intptr_t)next[0] > 0);
		REQUIRE(!bareprof_encode_text(got, next[0], sink, file));
	}
	REQUIRE(!fclose(file));
	reg[0] = BAREPROF_HYPERCALL_64 | BAREPROF_HYPERCALL_INFO;
	reg[1] = BAREPROF_HYPERCALL_PROFRAW;
	bareprof_hypercall(&calls, reg, NULL, 1);
	REQUIRE((intptr_t)reg[0] == BAREPROF_HYPERCALL_NONE && reg[1] == (uintptr_t)-BAREPROF_E_NO_RECORDS);
}

static void reset_by_guest(void)
{
	uintptr_t reg[6] = {BAREPROF_HYPERCALL_64 | BAREPROF_HYPERCALL_RESET, calls.serial};

	bareprof_hypercall(&calls, reg, NULL, 1);
	REQUIRE(reg[0] == 0);
}

static void work(void)
{
	coverage_work();
	calls_work();
}

/* Requires that all bytes have their start value. */
static void require_start(void)
{
	const struct bareprof_slice *s = image.section;
	size_t i;

	for (i = 0; i < s[BAREPROF_MIP_COVERAGE].size; i++)
		REQUIRE(((const unsigned char *)s[BAREPROF_MIP_COVERAGE].start)[i] == BAREPROF_MIP_START);
	for (i = 0; i < s[BAREPROF_MIP_CALLS].size; i++)
		REQUIRE(((const unsigned char *)s[BAREPROF_MIP_CALLS].start)[i] == BAREPROF_MIP_CALLS_START);
}

int main(int argc, char **argv)
{
	FILE *file;

	REQUIRE(argc == 2 && !chdir(argv[1]));
	REQUIRE(!bareprof_mip_image_self(&image));
	require_start();
	work();
	/* The state of before the start is lost. */
	REQUIRE(!bareprof_mip_start(&image) && image.generation == 0);
	require_start();
	bareprof_global_state.clock = 0;
	work();

	read_raw("whole.mipraw", &image, sizeof(memory));
	read_raw("windows.mipraw", &image, 7);
	send("text.log", &image, bareprof_encode_text);
	send("frames.bin", &image, bareprof_encode_frame);
	send("file.bpc", &image, bareprof_encode_file);
	send_next("next.log");
	REQUIRE(!bareprof_capture_open(&capture, &image, 1, block, sizeof(block)));
	put("written.bpc", memory, (size_t)bareprof_capture_write(&capture, memory, sizeof(memory)));
	call("called.log");
	REQUIRE(bareprof_snapshot(&copy, &image, taken, 1) == BAREPROF_E_NO_SPACE);
	REQUIRE(!bareprof_snapshot(&copy, &image, taken, sizeof(taken)));
	REQUIRE(bareprof_open(&dump, &image) == BAREPROF_E_NO_RECORDS);

	/* The copy does not change while the functions run again. */
	work();
	read_raw("snapshot.mipraw", &copy, 64);
	send("snapshot.log", &copy, bareprof_encode_text);

	bareprof_mip_open(&dump, &image);
	REQUIRE(!bareprof_capture_open(&capture, &image, 1, block, sizeof(block)));
	REQUIRE(!bareprof_drain(&copy, &image, taken, sizeof(taken)));
	require_start();
	REQUIRE(bareprof_read(&dump, 0, memory, 8) == BAREPROF_E_STALE);
	REQUIRE(bareprof_block(&capture, 1, block, sizeof(block)) == BAREPROF_E_STALE);
	read_raw("drained.mipraw", &copy, 64);
	bareprof_hypercalls_start(&calls);
	reset_by_guest();
	require_start();
	REQUIRE(image.generation == 2);

	/* The small form. */
	REQUIRE(!bareprof_mip_small_start());
	require_start();
	bareprof_global_state.clock = 0;
	work();
	file = create("small.log");
	REQUIRE(!bareprof_mip_small_dump(1, block, sizeof(block), bareprof_encode_text, sink, file) && !fclose(file));
	REQUIRE(bareprof_mip_small_dump(1, block, 100, bareprof_encode_text, sink, file) == BAREPROF_E_NO_SPACE);
	return 0;
}
