/* SPDX-License-Identifier: BSD-2-Clause */
/* counts_warning.c - checks the counts of a profile with the mapping of its program. */
#include "counts_warning.h"
#include "counts_check.h"
#include "exit.h"
#include "input.h"
#include "profile_read.h"

/* Reads @profile and the mapping of the program. Returns false if one of them cannot be read, or if there is no mapping. */
static bool read_both(const char *elf_path, struct bytes profile, struct mapping *mapping, struct file_names *files,
	struct model *model)
{
	const struct read_options options = {.add = {.weight = 1}};
	struct error unused;

	return mapping_read(mapping, elf_path, files, &unused) == STATUS_OK && mapping->record_count &&
	       profile_read(model, profile, &options, &unused) == STATUS_OK;
}

void counts_warning(const char *elf_path, struct bytes profile, struct buffer *warning)
{
	struct counts_check check = {.negative = false};
	struct file_names files = {.count = 0};
	struct mapping mapping = {.big = false};
	struct buffer text = {0};
	struct model model;

	model_start(&model);
	if (read_both(elf_path, profile, &mapping, &files, &model))
		counts_check_program(&check, &mapping, &model);
	if (check.impossible.count) {
		counts_check_text(&check, &text);
		buffer_add_clause(warning, "%s", buffer_string(&text));
	}
	buffer_free(&text);
	counts_check_free(&check);
	mapping_free(&mapping);
	file_names_free(&files);
	model_free(&model);
}

void counts_warning_file(const char *elf_path, const char *path)
{
	struct buffer warning = {0};
	struct input input;
	struct error unused;

	if (input_read(&input, path, &unused) != STATUS_OK)
		return;
	counts_warning(elf_path, input.bytes, &warning);
	if (warning.size)
		complain(path, "warning: %s", buffer_string(&warning));
	buffer_free(&warning);
	input_free(&input);
}
