/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream.c FILE... - runs under the sanitizers. It reads raw profiles in windows (raw_stream.c) and in memory
 * (raw_open.c), and compares the results. If a profile is cut at any byte, both readers must give the same verdict.
 * If a bit of the header is flipped, raw_stream.c must accept every profile that raw_open.c accepts.
 */
#include "input.h"
#include "raw_open.h"
#include "raw_stream.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned int files;
static unsigned int copies;
static unsigned int passed;
static unsigned int wrong;

static bool is_whole(struct bytes bytes)
{
	struct raw_profile profile;
	struct error error;
	size_t offset = 0;

	do {
		if (raw_open(&profile, bytes, offset, &error) != STATUS_OK)
			return false;
		offset = profile.end;
		raw_close(&profile);
	} while (offset < bytes.size);
	return true;
}

static bool passes(struct bytes bytes, size_t window)
{
	struct raw_stream stream = {0};
	struct error error = {""};
	enum status status = STATUS_OK;
	size_t at;

	for (at = 0; at < bytes.size && status == STATUS_OK; at += window) {
		size_t n = bytes.size - at < window ? bytes.size - at : window;
		/* The copy has the exact size, so that the sanitizer notices a read beyond its end. */
		uint8_t *block = malloc(n);

		memcpy(block, bytes.data + at, n);
		status = raw_stream_add(&stream, (struct bytes){block, n}, &error);
		free(block);
	}
	if (status == STATUS_OK)
		status = raw_stream_end(&stream, &error);
	wrong += status != STATUS_OK && !error.text[0];
	copies++;
	passed += status == STATUS_OK;
	return status == STATUS_OK;
}

static void cut(struct bytes bytes)
{
	size_t size;

	for (size = 0; size <= bytes.size; size++) {
		struct bytes part = {bytes.data, size};
		bool whole = is_whole(part);

		wrong += passes(part, size % 2 ? 1 + size % 61 : 65536) != whole;
	}
}

static void flip(struct bytes bytes)
{
	uint8_t *copy = malloc(bytes.size);
	size_t bits = 8 * 8 * (size_t)BAREPROF_HEADER_MAX;
	size_t i;

	memcpy(copy, bytes.data, bytes.size);
	for (i = 0; i < bits && i / 8 < bytes.size; i++) {
		struct bytes flipped = {copy, bytes.size};

		copy[i / 8] ^= (uint8_t)(1u << i % 8);
		wrong += is_whole(flipped) && !passes(flipped, 1 + i % 61);
		copy[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	free(copy);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		struct input input;
		struct error error;
		unsigned int before = wrong;

		if (input_read(&input, argv[i], &error) != STATUS_OK)
			continue;
		if (is_whole(input.bytes)) {
			files++;
			cut(input.bytes);
			flip(input.bytes);
			wrong += !passes(input.bytes, 7);
		} else {
			/*
			 * raw_open.c refused this profile. raw_stream.c may accept the profile nevertheless, if only
			 * the counters or names are malformed.
			 */
			passes(input.bytes, 1 + (unsigned int)i % 61);
		}
		if (wrong != before)
			printf("    %s\n", argv[i]);
		input_free(&input);
	}
	printf("%s - %u profiles as they pass by, %u damaged copies: %u passed; %u not as in memory\n",
		wrong || !files || passed == copies ? "not ok" : "ok", files, copies, passed, wrong);
	return 0;
}
