/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof.c FORM LLVM SOURCE - writes a sample profile for the release LLVM to standard output. FORM is text, binary
 * or hashes. SOURCE is the path of a text profile, or probes:SEED or lines:SEED for a random profile.
 * sampleprof.c ranges - writes the counts of ranges: one line of standard input for each, START LAST COUNT in
 * hexadecimal, or FROM > TO COUNT for a branch.
 */
#include "input.h"
#include "sampleprof_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static uint64_t throw(uint64_t sides)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % sides;
}

/* Most counts of a profile are small, and some need all 64 bits. */
static uint64_t any_count(void)
{
	uint64_t bits = throw(8) ? throw(12) : throw(55);

	return (throw((uint64_t)1 << 31) << 24 | throw(1 << 24)) & (((uint64_t)1 << bits) - 1);
}

static struct sampleprof_name *any_name(struct sampleprof *profile)
{
	static const char *const patterns[] = {"f%llu", "_ZN4demo3run%lluEv", "_ZL4leafi.__uniq.%llu", "a:%llu",
		"_%llu<x>", "_R%lluNvC", "vo\303\251%llu"};
	char *text = format(patterns[throw(7)], (unsigned long long) throw(60));
	struct sampleprof_name *name = sampleprof_name(profile, (struct bytes){(const uint8_t *)text, strlen(text)});

	free(text);
	return name;
}

static struct sampleprof_location any_location(const struct sampleprof *profile)
{
	uint32_t offset = (uint32_t)(throw(20) ? throw(40) : throw(65536));

	return (struct sampleprof_location){
		offset, profile->kind == SAMPLEPROF_LINES && !throw(3) ? (uint32_t) throw(1u << 31) : 0};
}

static void fill(struct sampleprof *profile, struct sampleprof_function *function, bool attributes)
{
	uint64_t counts = throw(12);

	if (profile->kind == SAMPLEPROF_PROBES)
		function->checksum = any_count() + 1;
	if (attributes)
		function->attributes = (uint32_t) throw(4);
	while (counts--) {
		struct sampleprof_location at = any_location(profile);
		uint64_t targets = throw(4) ? 0 : throw(5);

		sampleprof_add(profile, function, at, any_count());
		while (targets--)
			sampleprof_add_target(profile, function, at, any_name(profile), any_count());
	}
	while (function->depth < 12 && !throw(3))
		fill(profile, sampleprof_inlinee(profile, function, any_location(profile), any_name(profile)),
			attributes);
}

static void make_random(struct sampleprof *profile)
{
	uint64_t functions = 20 + throw(200);
	bool attributes = throw(2);

	while (functions--) {
		struct sampleprof_function *function = sampleprof_function(profile, any_name(profile));

		function->head = any_count();
		fill(profile, function, attributes);
	}
	sampleprof_add_up(profile);
}

static enum status make(struct sampleprof *profile, const char *source, struct error *error)
{
	struct input input = {0};
	enum status status;
	const char *seed = strchr(source, ':');

	if (seed && (starts_with(source, "probes:") || starts_with(source, "lines:"))) {
		profile->kind = *source == 'p' ? SAMPLEPROF_PROBES : SAMPLEPROF_LINES;
		state = strtoull(seed + 1, NULL, 10);
		make_random(profile);
		return STATUS_OK;
	}
	status = input_read(&input, source, error);
	if (status == STATUS_OK)
		status = sampleprof_read_text(profile, input.bytes, error);
	input_free(&input);
	return status;
}

static enum status write_ranges(struct buffer *out, struct error *error)
{
	struct sampleprof_range ranges[64];
	struct sampleprof_branch branches[64];
	size_t range_count = 0;
	size_t branch_count = 0;
	char line[200];

	while (range_count < 64 && branch_count < 64 && fgets(line, sizeof(line), stdin)) {
		struct sampleprof_range *range = &ranges[range_count];
		struct sampleprof_branch *branch = &branches[branch_count];

		if (sscanf(line, "%" SCNx64 " > %" SCNx64 " %" SCNu64, &branch->from, &branch->to, &branch->count) == 3)
			branch_count++;
		else if (sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNu64, &range->start, &range->last, &range->count) ==
			 3)
			range_count++;
	}
	return sampleprof_write_ranges(ranges, range_count, branches, branch_count, out, error);
}

int main(int argc, char **argv)
{
	struct sampleprof profile = {0};
	struct sampleprof_options options = {0};
	struct buffer out = {0};
	struct error error;
	enum status status;

	if (argc == 2 && !strcmp(argv[1], "ranges")) {
		status = write_ranges(&out, &error);
	} else if (argc == 4) {
		options.llvm = (unsigned int)atoi(argv[2]);
		options.hashes = !strcmp(argv[1], "hashes");
		status = make(&profile, argv[3], &error);
		if (status == STATUS_OK)
			status = (strcmp(argv[1], "text") ? sampleprof_write_binary : sampleprof_write_text)(
				&profile, &options, &out, &error);
	} else {
		return 2;
	}
	if (status == STATUS_OK)
		fwrite(out.data, 1, out.size, stdout);
	else
		fprintf(stderr, "%s\n", error.text);
	sampleprof_free(&profile);
	buffer_free(&out);
	return (int)status;
}
