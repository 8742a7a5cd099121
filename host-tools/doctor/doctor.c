/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor.c - opens the files, collects the causes and puts them into the order of the answer. */
#include "doctor.h"
#include "profile_read.h"
#include "text.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *const file_kind_word[FILE_KINDS] = {
	[FILE_EMPTY] = "empty",
	[FILE_ELF] = "elf",
	[FILE_CORE] = "core",
	[FILE_RAW] = "raw",
	[FILE_INDEXED] = "indexed",
	[FILE_TEXT] = "text",
	[FILE_DUMPS] = "dumps",
	[FILE_SAID] = "said",
	[FILE_UNREADABLE] = "unreadable",
	[FILE_OTHER] = "other",
};

void doctor_cause(
	struct doctor *doctor, enum cause_id id, const struct doctor_file *file, char *command, const char *text, ...)
{
	struct cause *cause;
	va_list arguments;

	if (doctor->cause_count == doctor->cause_room) {
		doctor->cause_room = 2 * doctor->cause_room + 8;
		doctor->causes = realloc(doctor->causes, doctor->cause_room * sizeof(*doctor->causes));
		if (!doctor->causes)
			die_of_memory();
	}
	cause = &doctor->causes[doctor->cause_count++];
	*cause = (struct cause){.id = id, .path = file ? file->path : NULL, .command = command};
	va_start(arguments, text);
	if (vasprintf(&cause->text, text, arguments) < 0)
		die_of_memory();
	va_end(arguments);
	printable(cause->text);
}

char *doctor_quote(const char *path)
{
	struct buffer text = {0};
	const char *at;
	char *result;

	if (*path && *path != '-' &&
		strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			     "/._-+=:,@%") == strlen(path))
		return format("%s", path);
	/* A path that begins with a dash would be an option. */
	buffer_add_text(&text, *path == '-' && path[1] ? "'./" : "'");
	for (at = path; *at; at++)
		if (*at == '\'')
			buffer_add_text(&text, "'\\''");
		else
			buffer_add(&text, at, 1);
	buffer_add_text(&text, "'");
	result = format("%s", buffer_string(&text));
	buffer_free(&text);
	return result;
}

char *doctor_out(const char *path, const char *ending)
{
	static const char *const endings[] = {".profraw", ".profdata", ".proftext", ".capture", ".log", ".txt", NULL};
	const char *slash = strrchr(path, '/');
	char *name = format("%s", slash ? slash + 1 : path);
	size_t size = strlen(name);
	char *whole;
	char *result;
	int i;

	for (i = 0; endings[i]; i++) {
		size_t n = strlen(endings[i]);

		if (size > n && !strcmp(name + size - n, endings[i])) {
			name[size - n] = 0;
			break;
		}
	}
	whole = format("%s%s", *name ? name : "profile", ending);
	result = doctor_quote(whole);
	free(whole);
	free(name);
	return result;
}

const char *doctor_elf_path(const struct doctor *doctor, const struct doctor_file *file)
{
	const char *path = NULL;
	size_t i;

	if (file && file->fits)
		return file->fits;
	for (i = 0; i < doctor->count; i++) {
		if (doctor->files[i].kind != FILE_ELF)
			continue;
		if (path)
			return NULL;
		path = doctor->files[i].path;
	}
	return path;
}

/* Returns whether the ELF file @bytes is a core. */
static bool is_core(struct bytes bytes)
{
	bool big = bytes.size > EI_DATA && bytes.data[EI_DATA] == ELFDATA2MSB;

	return bytes.size >= EI_NIDENT + 2 && load_uint(bytes.data + EI_NIDENT, 2, big) == ET_CORE;
}

/* Returns what a file is that is neither ELF nor a profile with a magic number. */
static enum file_kind kind_of_other(struct doctor *doctor, struct bytes bytes)
{
	struct dump_receiver dump;
	bool has_dumps;

	dump_receiver_start(&dump, NULL, NULL);
	scan_bytes(&dump.scan, bytes);
	dump_receiver_sort(&dump);
	has_dumps = dump.capture.sent_count || dump.scan.damaged_lines || dump.scan.damaged_bytes;
	dump_receiver_free(&dump);
	if (has_dumps)
		return FILE_DUMPS;
	if (text_is_profile(bytes))
		return FILE_TEXT;
	return said_read(&doctor->said, bytes) ? FILE_SAID : FILE_OTHER;
}

enum status doctor_open(struct doctor *doctor, struct doctor_file *file, const char *path, struct error *error)
{
	enum status status = input_read(&file->input, path, error);

	file->path = path;
	model_start(&file->model);
	if (status != STATUS_OK) {
		file->kind = FILE_UNREADABLE;
		return status;
	}
	switch (detect_format(file->input.bytes)) {
	case FORMAT_EMPTY:
		file->kind = FILE_EMPTY;
		break;
	case FORMAT_RAW:
		file->kind = FILE_RAW;
		break;
	case FORMAT_INDEXED:
		file->kind = FILE_INDEXED;
		break;
	case FORMAT_ELF:
		file->kind = is_core(file->input.bytes) ? FILE_CORE : FILE_ELF;
		break;
	default:
		file->kind = kind_of_other(doctor, file->input.bytes);
	}
	return STATUS_OK;
}

void doctor_examine(struct doctor *doctor)
{
	bool sound = false;
	size_t i;

	for (i = 0; i < doctor->count; i++)
		if (doctor->files[i].kind == FILE_ELF)
			doctor_elf(doctor, &doctor->files[i]);
	for (i = 0; i < doctor->count; i++) {
		struct doctor_file *file = &doctor->files[i];

		switch (file->kind) {
		case FILE_ELF:
			break;
		case FILE_RAW:
			doctor_raw(doctor, file);
			break;
		case FILE_DUMPS:
			doctor_dumps(doctor, file);
			break;
		case FILE_INDEXED:
		case FILE_TEXT:
			doctor_indexed(doctor, file);
			break;
		default:
			doctor_other(doctor, file);
		}
		sound = sound || (file->kind != FILE_ELF && file->readable);
	}
	doctor_compare(doctor);
	doctor_repeated(doctor);
	doctor_releases(doctor);
	/* A sound profile shows that the program can give one. */
	for (i = 0; i < doctor->count; i++)
		if (doctor->files[i].kind == FILE_ELF && (!sound || (doctor->said.sentences && !doctor->cause_count)))
			doctor_program_faults(doctor, &doctor->files[i]);
	doctor_order(doctor);
}

enum status doctor_read(struct doctor *doctor, struct model *model, struct bytes bytes, struct error *error)
{
	const struct read_options options = {.add = {.weight = 1}, .completion = {.programs = &doctor->programs}};

	model_start(model);
	return profile_read(model, bytes, &options, error);
}

bool doctor_read_model(struct doctor *doctor, struct doctor_file *file, struct bytes bytes)
{
	model_free(&file->model);
	file->readable = doctor_read(doctor, &file->model, bytes, &file->refusal) == STATUS_OK;
	if (file->readable)
		model_sort(&file->model);
	return file->readable;
}

void doctor_nothing_ran(struct doctor *doctor, const struct doctor_file *file)
{
	const struct model *model = &file->model;
	size_t i;

	for (i = 0; i < model->count; i++)
		if (function_ran(&model->functions[i]))
			return;
	if (model->count)
		doctor_cause(doctor, CAUSE_NOTHING_RAN, file, NULL,
			"has only counts of 0: the dump was made before the code ran, after a reset of the counters, "
			"or from another copy of the counters ('bareprof check --mapped' helps)");
}

void doctor_free(struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		struct doctor_file *file = &doctor->files[i];

		input_free(&file->input);
		buffer_free(&file->what);
		buffer_free(&file->id);
		buffer_free(&file->rescued);
		buffer_free(&file->origin);
		model_free(&file->model);
		free(file->functions);
	}
	for (i = 0; i < doctor->cause_count; i++) {
		free(doctor->causes[i].text);
		free(doctor->causes[i].command);
	}
	free(doctor->causes);
	free(doctor->files);
	free(doctor->next);
	programs_free(&doctor->programs);
}
