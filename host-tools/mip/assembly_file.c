/* SPDX-License-Identifier: BSD-2-Clause */
/* assembly_file.c - passes files through the rewriter, and prints what the rewriter did. */
#include "assembly_file.h"
#include "child.h"
#include "exit.h"
#include "mip_profile.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Removes the white space at the start of @line. */
static void skip_space(struct bytes *line)
{
	while (line->size && isspace(*line->data)) {
		line->data++;
		line->size--;
	}
}

/*
 * Sets *@number to the first directive .file with a number, and *@name to the first one without. Only a line table has
 * numbers. The slices are empty if there is no such directive.
 */
static void find_file_directives(struct bytes text, struct bytes *number, struct bytes *name)
{
	*number = *name = (struct bytes){NULL, 0};
	while (text.size && (!number->size || !name->size)) {
		struct bytes line = bytes_line(&text);

		skip_space(&line);
		if (!bytes_after(&line, ".file"))
			continue;
		skip_space(&line);
		if (line.size && isdigit(*line.data) && !number->size)
			*number = line;
		else if (line.size && *line.data == '"' && !name->size)
			*name = line;
	}
}

/* Returns the text in quotes at the start of @text, which the caller frees. */
static char *unquote(struct bytes text)
{
	const uint8_t *end = text.size > 1 ? memchr(text.data + 1, '"', text.size - 1) : NULL;

	return end ? format("%.*s", (int)(end - text.data - 1), (const char *)text.data + 1) : NULL;
}

static void print_counts(const char *name, const struct rewrite_counts *counts)
{
	struct buffer text = {0};
	uint64_t left_out = 0;
	size_t i;

	for (i = 1; i < sizeof(counts->left_out) / sizeof(*counts->left_out); i++) {
		if (counts->left_out[i])
			buffer_printf(&text, "%s%" PRIu64 " %s", left_out ? ", " : ": ", counts->left_out[i],
				mip_reason_text((unsigned int)i));
		left_out += counts->left_out[i];
	}
	if (counts->by_hand)
		complain(name, "unchanged, because no compiler wrote this assembly");
	else if (counts->rewritten_before)
		complain(name, "unchanged, because this assembly was rewritten before");
	else
		complain(name, "%" PRIu64 " function%s record%s, %" PRIu64 " %s left out%s", counts->functions,
			counts->functions == 1 ? "" : "s", counts->functions == 1 ? "s" : "", left_out,
			left_out == 1 ? "is" : "are", buffer_string(&text));
	buffer_free(&text);
}

enum status assembly_file_rewrite(
	struct assembly_file *file, const char *path, const char *name, const struct mip_settings *settings)
{
	struct rewrite_counts counts = {0};
	struct error error;
	struct bytes number;
	struct bytes source;
	char *found = NULL;
	enum status status;

	*file = (struct assembly_file){0};
	status = input_read(&file->input, path, &error);
	if (status != STATUS_OK) {
		error_print(input_name(path), &error);
		return status;
	}
	find_file_directives(file->input.bytes, &number, &source);
	file->has_line_table = number.size;
	if (!name)
		name = found = unquote(source);
	if (!name)
		name = input_name(path);
	status = rewrite(file->input.bytes, name, &settings->rewrite, &file->text, &counts, &error);
	if (status != STATUS_OK)
		error_print(NULL, &error);
	else if (settings->verbose)
		print_counts(name, &counts);
	file->is_unchanged = counts.by_hand || counts.rewritten_before;
	free(found);
	return status;
}

void assembly_file_free(struct assembly_file *file)
{
	input_free(&file->input);
	buffer_free(&file->text);
}

enum status write_temporary(const char *path, struct bytes content)
{
	FILE *stream = fopen(path, "we");
	struct error error;
	bool failed = !stream;

	if (stream) {
		failed = fwrite(content.data, 1, content.size, stream) != content.size;
		failed = fclose(stream) || failed;
	}
	if (!failed)
		return STATUS_OK;
	error_set(&error, STATUS_SYSTEM, "cannot be written: %s", strerror(errno));
	temporary_failed(path, &error);
	error_print(NULL, &error);
	return STATUS_SYSTEM;
}
