/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage.c - fuzzes coverage mappings. An input consists of the size of a profile in 4 bytes, the profile, and an ELF
 * file with a mapping. If the mapping can be read, all reports are made of it. The mutator knows where the records of
 * functions are, and which bytes of a record are the numbers of its regions.
 */
#include "coverage_json.h"
#include "coverage_lcov.h"
#include "coverage_table.h"
#include "fuzz.h"

#include <elf.h>

/* The header of a record, and the offset of the size of the regions after it. */
#define RECORD_HEADER 28u
#define RECORD_SIZE   8u

static void check_summary(const struct coverage_summary *summary)
{
	unsigned int i;

	for (i = 0; i < RATES; i++)
		must(summary->rate[i].covered <= summary->rate[i].total, "no more ran than there is");
}

static void check_functions(const struct coverage *coverage)
{
	size_t i;

	for (i = 0; i < coverage->count; i++) {
		const struct coverage_function *function = &coverage->functions[i];

		must(function->file < coverage->files->count, "a function has a file");
		must(function->main_file == FILE_NONE || function->main_file < coverage->files->count,
			"the main file of a function exists");
		check_summary(&function->summary);
	}
}

static void check_file(struct coverage *coverage, uint32_t name, struct file_coverage *file)
{
	struct line_walk walk = {.segments = &file->segments, .rules = &coverage->rules};
	struct coverage_summary summary;
	uint64_t end = 0; /* the line after those that were walked */
	size_t i;

	coverage_file(coverage, name, NULL, NULL, file);
	coverage_file_summary(coverage, name, NULL, NULL, &summary);
	check_summary(&summary);
	for (i = 1; i < file->segments.count; i++) {
		const struct segment *segment = &file->segments.list[i];

		must(segment[-1].line < segment->line ||
				(segment[-1].line == segment->line && segment[-1].column <= segment->column),
			"segments are sorted by their locations");
	}
	while (lines_next(&walk)) {
		must(walk.line >= end && walk.repeat, "lines go up");
		end = walk.line + walk.repeat;
	}
	for (i = 0; i < file->decision_count; i++) {
		const struct mcdc_result *result = &file->decisions[i].result;

		must(result->covered <= result->total, "no more conditions are covered than there are");
	}
}

/* Makes all reports, without keeping them. */
static void write_all(struct coverage *coverage)
{
	const struct coverage_selection selection = {
		.coverage = coverage, .files = coverage->sources, .file_count = coverage->source_count};
	const struct table_options columns = {.columns = (1u << RATES) - 1};
	const struct lcov_options lcov = {0};
	const struct coverage_json_options json = {0};
	struct buffer table = {0};
	struct coverage_summary total;
	struct output output;
	struct error error = {""};
	enum status status;

	coverage_table(&selection, &columns, &table, &total);
	must(table.size, "the table has at least a header");
	check_summary(&total);
	buffer_free(&table);
	output_open(&output, "/dev/null");
	status = coverage_lcov_write(&selection, &lcov, &output, &error);
	must(output_close(&output, status, &error) == STATUS_OK || error.text[0], "a refusal has a reason");
	output_open(&output, "/dev/null");
	coverage_json_write(&selection, &json, &output);
	must(output_close(&output, STATUS_OK, &error) == STATUS_OK, "JSON can always be written");
}

static void cover(const struct mapping *mapping, struct file_names *names, struct model *model, unsigned int release)
{
	struct file_coverage file = {0};
	struct error error = {""};
	struct coverage coverage;
	size_t i;

	coverage_start(&coverage, names, release, true);
	if (coverage_add(&coverage, mapping, model, &error) == STATUS_OK) {
		coverage_finish(&coverage);
		check_functions(&coverage);
		for (i = 0; i < coverage.source_count; i++)
			check_file(&coverage, coverage.sources[i], &file);
		write_all(&coverage);
	} else {
		must(error.text[0], "a refusal has a reason");
	}
	file_coverage_free(&file);
	coverage_free(&coverage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A release of each kind of rules. The input chooses one of them. */
	static const unsigned int releases[] = {13, 19, 22, 22};
	struct read_options options = {.add = {.weight = 1}};
	struct file_names names = {0};
	struct mapping mapping = {0};
	struct error error = {""};
	struct model model;
	struct bytes profile;
	struct bytes elf;

	if (!take_two((struct bytes){data, size}, &profile, &elf) || !elf.size)
		return 0;
	model_start(&model);
	/* A damaged profile may have left some functions in the model, which do no harm. */
	if (profile_read(&model, profile, &options, &error) != STATUS_OK)
		must(error.text[0], "a refusal has a reason");
	model_sort(&model);
	error.text[0] = '\0';
	if (mapping_read(&mapping, in_memory(elf), &names, &error) == STATUS_OK)
		cover(&mapping, &names, &model, releases[elf.data[elf.size - 1] % 4]);
	else
		must(error.text[0], "a refusal has a reason");
	mapping_free(&mapping);
	file_names_free(&names);
	model_free(&model);
	return 0;
}

/* Returns the section with the name @name of the ELF file @elf, which may be damaged. */
static struct bytes find_section(struct bytes elf, const char *name)
{
	uint64_t headers = load_uint(elf.data + offsetof(Elf64_Ehdr, e_shoff), 8, false);
	uint64_t count = load_uint(elf.data + offsetof(Elf64_Ehdr, e_shnum), 2, false);
	uint64_t names = load_uint(elf.data + offsetof(Elf64_Ehdr, e_shstrndx), 2, false);
	struct bytes header;
	struct bytes strings;
	struct bytes found;
	uint64_t i;

	if (!bytes_slice(elf, headers + names * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr), &header) ||
		!bytes_slice(elf, load_uint(header.data + offsetof(Elf64_Shdr, sh_offset), 8, false),
			load_uint(header.data + offsetof(Elf64_Shdr, sh_size), 8, false), &strings))
		return (struct bytes){NULL, 0};
	for (i = 0; i < count; i++) {
		uint64_t at;

		if (!bytes_slice(elf, headers + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr), &header))
			break;
		at = load_uint(header.data + offsetof(Elf64_Shdr, sh_name), 4, false);
		if (!bytes_slice(strings, at, strlen(name) + 1, &found) || memcmp(found.data, name, found.size) != 0)
			continue;
		if (bytes_slice(elf, load_uint(header.data + offsetof(Elf64_Shdr, sh_offset), 8, false),
			    load_uint(header.data + offsetof(Elf64_Shdr, sh_size), 8, false), &found))
			return found;
	}
	return (struct bytes){NULL, 0};
}

/* Changes some numbers of the regions of a record. Most numbers take one byte, so a byte is replaced, not a word. */
static void change_regions(uint8_t *regions, size_t size, struct dice *dice)
{
	uint64_t changes = 1 + dice_throw(dice, 4);

	if (dice_throw(dice, 4) == 0) {
		LLVMFuzzerMutate(regions, size, size);
		return;
	}
	while (changes--) {
		uint8_t *at = &regions[dice_throw(dice, size)];

		switch (dice_throw(dice, 4)) {
		case 0:
			*at = (uint8_t)dice_throw(dice, 8);
			break;
		case 1:
			*at = (uint8_t)(*at + dice_throw(dice, 3) - 1);
			break;
		case 2:
			*at ^= 0x80;
			break;
		default:
			*at = regions[dice_throw(dice, size)];
		}
	}
}

/* Changes one record of the section of records. Returns false if there is none. */
static bool change_record(uint8_t *records, size_t size, struct dice *dice)
{
	uint64_t skip = dice_throw(dice, 12);
	size_t at = 0;
	size_t chosen = 0;

	/* The last record is chosen more often than the others, if there are few. */
	while (at + RECORD_HEADER < size) {
		size_t next = at + RECORD_HEADER + (size_t)load_uint(records + at + RECORD_SIZE, 4, false);

		if (next > size)
			break;
		chosen = at;
		if (!skip--)
			break;
		at = (next + 7) & ~(size_t)7;
	}
	if (chosen + RECORD_HEADER >= size)
		return false;
	at = (size_t)load_uint(records + chosen + RECORD_SIZE, 4, false);
	if (!at || at > size - chosen - RECORD_HEADER)
		return false;
	change_regions(records + chosen + RECORD_HEADER, at, dice);
	return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes profile;
	struct bytes elf;
	struct bytes records;

	if (!take_two((struct bytes){data, size}, &profile, &elf) || elf.size < sizeof(Elf64_Ehdr))
		return LLVMFuzzerMutate(data, size, most);
	if (dice_throw(&dice, 16) == 0)
		return change_two(data, size, most, &dice);
	records = find_section(elf, "__llvm_covfun");
	if (!records.size || dice_throw(&dice, 8) == 0 ||
		!change_record(data + (records.data - data), records.size, &dice))
		change_elf(data + (elf.data - data), elf.size, &dice);
	return size;
}
