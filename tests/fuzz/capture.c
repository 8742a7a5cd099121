/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture.c - fuzzes captures of counters. An input consists of the size of an ELF file in 4 bytes, the ELF file, and
 * the capture. With the ELF file, the fuzz target makes profiles from the capture, once with partial dumps and once
 * without, and each result must be a sound profile. The mutator changes blocks and gives them right checksums. If an
 * input does not have this form, or the size of its ELF file is 0, the fuzz target tests only the counter codec. Then
 * the whole input is for decode(), see below.
 */
#include "dump_receiver.h"
#include "fuzz.h"
#include "make.h"
#include "mip_dump.h"
#include "raw_open.h"
#include "counter_codec.h"

#include <bareprof/capture.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The ELF file of the previous input. It stays open, because most inputs contain the same file. */
static struct buffer opened;
static struct programs programs;
static bool usable;

static void open_program(struct bytes elf)
{
	static int fd = -1;
	struct error error = {""};
	char path[64];

	if (opened.data && opened.size == elf.size && !memcmp(opened.data, elf.data, elf.size))
		return;
	if (opened.data)
		programs_free(&programs);
	opened.size = 0;
	buffer_add(&opened, elf.data, elf.size);
	if (fd < 0)
		fd = memfd_create("fuzz", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	must(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, elf.data, elf.size, 0) == (ssize_t)elf.size,
		"there is room for a file in memory");
	programs_start(&programs);
	usable = programs_elf(&programs, path, &error) == STATUS_OK;
	must(usable || error.text[0], "a refusal has a reason");
}

/*
 * Makes a .mipraw from each complete dump of a machine profile. Call this function first, because
 * dump_receiver_finish() may drop these dumps. An END in the middle of a dump is refused only here.
 */
static void make_raws(struct dump_receiver *dump)
{
	struct buffer raw = {NULL, 0, 0};
	struct mip_raw unused;
	struct error error;
	size_t i;

	dump_receiver_sort(dump);
	for (i = 0; i < dump->capture.sent_count; i++) {
		const struct sent_dump *sent = &dump->capture.sent_dumps[i];

		if (!sent->machine || sent->state != DUMP_COMPLETE)
			continue;
		raw.size = 0;
		error.text[0] = 0;
		if (mip_dump_raw(&raw, &dump->capture, sent, &error) != STATUS_OK)
			must(error.text[0], "a refusal has a reason");
		else
			must(mip_raw_read(&unused, (struct bytes){raw.data, raw.size}, &error) == STATUS_OK,
				"a .mipraw that was made can be read");
	}
	buffer_free(&raw);
}

/*
 * Rebuilds the profiles of all dumps in @bytes. A small input cannot have a huge result, because each block decodes to
 * at most 64 KiB. If a result is too large nevertheless, libFuzzer's memory limit stops the fuzzer.
 */
static void rebuild_all(struct bytes bytes, bool partial)
{
	const struct read_options options = {.add = {.weight = 1}};
	struct completion_report report = {0};
	struct error error = {""};
	struct raw_profile profile;
	struct dump_receiver dump;
	struct model model;

	dump_receiver_start(&dump, NULL, NULL);
	dump.completion = (struct completion_options){.programs = &programs, .partial = partial, .report = &report};
	scan_bytes(&dump.scan, bytes);
	make_raws(&dump);
	if (dump_receiver_finish(&dump, NULL, &error) != STATUS_OK) {
		must(error.text[0], "a refusal has a reason");
	} else {
		struct bytes stream = {dump.stream.data, dump.stream.size};

		must(raw_open(&profile, stream, 0, &error) == STATUS_OK, "what is made is a profile");
		raw_close(&profile);
		model_start(&model);
		/* The version word may have bits that only a newer bareprof knows. Then the profile is refused. */
		must(!dump.sent->counters || profile_read(&model, stream, &options, &error) == STATUS_OK ||
				strstr(error.text, "version word"),
			"a profile that was completed can be read");
		model_free(&model);
		must(dump.sent->state == DUMP_COMPLETE || report.warning.size, "a partial one says so");
	}
	completion_report_free(&report);
	dump_receiver_free(&dump);
}

/*
 * Decodes an input of three parts: a byte with the coding and the byte order, a byte with the size of the result
 * divided by 8, and items.
 */
static void decode(struct bytes bytes)
{
	unsigned int coding;
	size_t size;
	bool good;
	uint8_t *raw;

	if (bytes.size < 2)
		return;
	coding = bytes.data[0] & 7;
	size = (size_t)bytes.data[1] * 8;
	raw = malloc(size ? size : 1);
	bytes.data += 2;
	bytes.size -= 2;
	good = counters_decode(raw, size, coding, bytes.data[-2] & 8, bytes);
	must(good == counters_decode(NULL, size, coding, bytes.data[-2] & 8, bytes), "checking is decoding");
	free(raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes capture;
	struct bytes elf;

	if (!take_two((struct bytes){data, size}, &elf, &capture) || !elf.size) {
		decode((struct bytes){data, size});
		return 0;
	}
	open_program(elf);
	if (!usable)
		return 0;
	rebuild_all(capture, false);
	rebuild_all(capture, true);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes capture;
	struct bytes elf;
	size_t before;

	if (!take_two((struct bytes){data, size}, &elf, &capture) || !elf.size || dice_throw(&dice, 16) == 0)
		return LLVMFuzzerMutate(data, size, most);
	before = (size_t)(capture.data - data);
	return before + change_blocks(data + before, capture.size, most - before, seed);
}
