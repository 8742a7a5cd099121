/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_merge.c - `bareprof merge`: any number of profiles of any form into one.
 */
#include "commands.h"
#include "image.h"
#include "indexed.h"
#include "input.h"
#include "merging.h"
#include "versions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *out_path;
static const char *release_text;
static const char *hash_text;
static const char *list_path;
static const char *mode_text = "any";
static const char *weight_text = "1";
static const char *jobs_text;
static const char *shard_text;
static const char *elf_path;
static bool as_text;
static bool sparse;

static const struct option options[] = {
	{"output", 'o', "OUT", "the profile to write ('-': standard output)", NULL, &out_path},
	{"for-llvm", 0, "N", "write the index version of LLVM release N (13 to 22)", NULL, &release_text},
	{"text", 0, NULL, "write text (.proftext)", &as_text, NULL},
	{"input-files", 'f', "LIST", "also merge the files listed in LIST", NULL, &list_path},
	{"weight", 0, "N", "count the FILEs given here N times", NULL, &weight_text},
	{"elf", 0, "ELF", "take records from ELF where a profile has none", NULL, &elf_path},
	{"sparse", 0, NULL, "leave out functions that never ran", &sparse, NULL},
	{"failure-mode", 0, "MODE", "fail on 'any' bad input (default), if 'all' are, or only 'warn'", NULL,
		&mode_text},
	{"pgo-hash", 0, "v4", "turn function hashes of clang before 22 into those of 22", NULL, &hash_text},
	{"shard", 0, "K/N", "only the functions of part K of N, by their names' hashes", NULL, &shard_text},
	{"jobs", 'j', "N", "use N threads (default: by the size of the inputs)", NULL, &jobs_text},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

struct choices {
	unsigned int release; /* 0: not said */
	bool to_v4;
};

/* A number that is all of @text, from @least to @most. */
static bool number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
	char *end;

	*value = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && *value >= least && *value <= most)
		return true;
	complain(NULL, "--%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, least, most, text);
	return false;
}

static bool read_shard(struct reading *reading)
{
	char *end;
	unsigned long part;
	unsigned long parts;

	if (!shard_text)
		return true;
	part = strtoul(shard_text, &end, 10);
	parts = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
	if (*end || !part || part > parts || parts > 1000000) {
		complain(NULL, "--shard takes K/N with K from 1 to N, not '%s'", shard_text);
		return false;
	}
	reading->shard = (unsigned int)(part - 1);
	reading->shards = (unsigned int)parts;
	return true;
}

static bool read_mode(struct merging *merging)
{
	static const char *const names[] = {"any", "all", "warn"};
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (!strcmp(mode_text, names[i])) {
			merging->mode = (enum failure_mode)i;
			return true;
		}
	complain(NULL, "--failure-mode is any, all or warn, not '%s'", mode_text);
	return false;
}

static bool read_choices(struct choices *choices, struct merging *merging)
{
	uint64_t value = 0;

	if (!out_path) {
		complain(NULL, "say where the merged profile goes, with -o OUT");
		return false;
	}
	if (release_text && !number("for-llvm", release_text, RELEASE_OLDEST, 999, &value))
		return false;
	choices->release = (unsigned int)value;
	value = 0;
	if (jobs_text && !number("jobs", jobs_text, 1, 256, &value))
		return false;
	merging->jobs = (unsigned int)value;
	choices->to_v4 = hash_text != NULL;
	if (hash_text && strcmp(hash_text, "v4")) {
		complain(NULL, "--pgo-hash is v4, the hashes of clang 22, not '%s'", hash_text);
		return false;
	}
	return read_shard(&merging->reading) && read_mode(merging);
}

/* All inputs: the operands, then those of the list. */
static enum status gather(struct merging *merging, char **operands)
{
	enum status status;
	struct error error;
	uint64_t weight;

	if (!number("weight", weight_text, 1, UINT32_MAX, &weight))
		return STATUS_USAGE;
	for (; *operands; operands++)
		merging_add(merging, *operands, weight);
	if (list_path) {
		status = merging_list(merging, list_path, &error);
		if (status != STATUS_OK) {
			error_print(list_path, &error);
			return status;
		}
	}
	if (merging->count)
		return STATUS_OK;
	complain(NULL, "there is nothing to merge; name files, or a list of them with -f");
	return STATUS_USAGE;
}

/* Say which inputs were bad; the status to end with because of them. */
static enum status judge_inputs(const struct merging *merging)
{
	size_t bad = 0;
	size_t i;

	for (i = 0; i < merging->count; i++) {
		if (!merging->inputs[i].bad)
			continue;
		bad++;
		error_print(input_name(merging->inputs[i].path), merging->inputs[i].error);
		if (merging->mode == FAIL_ON_ANY)
			return STATUS_BAD;
	}
	if (bad == merging->count) {
		complain(NULL, "no input is good: nothing was written");
		return STATUS_BAD;
	}
	if (bad)
		complain(NULL, "%zu of %zu inputs were left out", bad, merging->count);
	return STATUS_OK;
}

static void tell_notes(const struct model *model)
{
	static const char *const text[MODEL_NOTES] = {
		[NOTE_OVERFLOW] = "counts reached the highest number and stay there",
		[NOTE_COUNTERS] = "the inputs have different numbers of counters for one function and hash; those "
				  "with most were taken",
		[NOTE_BITMAP] = "the inputs have bitmaps of different sizes for one function and hash; the largest "
				"were taken",
		[NOTE_SITES] = "the inputs have different numbers of value sites for one function and hash; those "
			       "with most were taken",
	};
	int i;

	for (i = 0; i < MODEL_NOTES; i++)
		if (model->notes[i].times)
			complain(NULL, "warning: %s: %" PRIu64 " times, first in function %s", text[i],
				model->notes[i].times, model->notes[i].function);
}

/* The index version, after saying what it cannot hold and what clang would not find in it. */
static unsigned int choose_version(const struct model *model, const struct choices *choices)
{
	unsigned int version = choices->release ? index_of_release(choices->release) : index_least(model);
	enum hashes hashes = choices->to_v4 ? HASHES_V4 : hashes_of(model);
	struct buffer lost = {0};

	if (choices->to_v4 && !choices->release)
		version = INDEXED_HASH_V4;
	index_losses(model, version, &lost);
	if (lost.size)
		complain(out_path, "warning: left out, as LLVM %u cannot read them: %s", choices->release,
			buffer_string(&lost));
	if (hashes == HASHES_V4 && version < INDEXED_HASH_V4)
		complain(out_path,
			"warning: the functions' hashes are those of clang 22: in a file for older releases its "
			"-fprofile-instr-use finds none of them (llvm-cov does)");
	if (hashes == HASHES_V3 && version >= INDEXED_HASH_V4)
		complain(out_path,
			"warning: the functions' hashes are those of clang before 22, so -fprofile-instr-use of 22 "
			"finds none of them (llvm-cov does); --pgo-hash v4 converts them");
	buffer_free(&lost);
	return version;
}

static enum status write_model(struct model *model, const struct choices *choices, const struct merging *merging)
{
	const char *input;
	unsigned int version = 0;
	struct output output;
	struct error error;
	enum status status;

	if (choices->to_v4) {
		hashes_to_v4(model);
		complain(out_path,
			"warning: its hashes were converted for -fprofile-instr-use of clang 22; llvm-cov will not "
			"match them with a program that an older clang compiled");
	}
	model_sort(model);
	tell_notes(model);
	if (sparse)
		model_drop_zero(model);
	if (!as_text)
		version = choose_version(model, choices);
	output_open(&output, out_path);
	status = as_text ? text_write(model, &output) : indexed_write(model, version, &output);
	if (status == STATUS_OK && merging_whole(merging, &input, &error) != STATUS_OK) {
		error_print(input, &error);
		return output_close(&output, STATUS_SYSTEM, &error);
	}
	status = output_close(&output, status, &error);
	if (status != STATUS_OK)
		error_print(out_path, &error);
	return status;
}

static enum status merge(char **operands)
{
	struct merging merging = {0};
	struct choices choices = {0};
	enum status status = STATUS_USAGE;
	struct image image = {0};
	struct model model;
	struct error error;

	model_start(&model);
	if (read_choices(&choices, &merging))
		status = gather(&merging, operands);
	if (status == STATUS_OK && elf_path) {
		status = image_open(&image, elf_path, &error);
		merging.reading.elf = &image;
		if (status != STATUS_OK)
			error_print(elf_path, &error);
	}
	if (status == STATUS_OK) {
		status = merging_run(&merging, &model, &error);
		if (status != STATUS_OK)
			error_print(NULL, &error);
	}
	if (status == STATUS_OK)
		status = judge_inputs(&merging);
	if (status == STATUS_OK)
		status = write_model(&model, &choices, &merging);
	if (merging.reading.elf)
		image_close(&image);
	model_free(&model);
	merging_free(&merging);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "make one profile of many",
	.operands = "-o OUT FILE...",
	.operands_least = 0,
	.operands_most = 1000000,
	.help = "FILEs are raw profiles of any version, indexed ones, text, and captures or logs\n"
		"with a dump in them, mixed. What comes out does not depend on their order.\n\n"
		"OUT gets the lowest index version that loses nothing, so that as many releases\n"
		"as can be read it. Hashes of functions are never altered unless --pgo-hash says so.\n"
		"A LIST has a path on each line, or WEIGHT,PATH.\n\n"
		"Other than with llvm-profdata, counts and values are both multiplied by weights,\n"
		"front-end and IR profiles do not mix, and an empty file is an error.\n",
	.options = options,
	.run = merge,
};
