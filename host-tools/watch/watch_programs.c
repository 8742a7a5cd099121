/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_programs.c - finds the program of each profile by its build id, and collects the profiles of a look. */
#include "watch_programs.h"
#include "elf_files.h"
#include "exit.h"
#include "raw_open.h"

#include <stdlib.h>

static struct watch_program *add_program(struct watch_programs *programs, const char *path)
{
	struct watch_program *program = allocate(1, sizeof(*program));
	struct error error;

	programs->list = array_grow(programs->list, programs->count, &programs->room, sizeof(*programs->list));
	programs->list[programs->count++] = program;
	if (watched_open(&program->watched, path, &error) != STATUS_OK)
		program->unusable = format("%s", error.text);
	return program;
}

enum status watch_programs_open(struct watch_programs *programs)
{
	const struct programs *given = programs->completion.programs;
	const struct watch_program *unusable = NULL;
	size_t i;

	for (i = 0; i < given->given; i++) {
		const struct watch_program *program = add_program(programs, given->list[i]->path);

		if (!program->unusable)
			return STATUS_OK;
		unusable = program;
	}
	if (!unusable)
		return STATUS_OK;
	complain(unusable->watched.path, "%s", unusable->unusable);
	return STATUS_INVALID_INPUT;
}

void watch_programs_clear(struct watch_programs *programs)
{
	size_t i;

	for (i = 0; i < programs->count; i++) {
		programs->list[i]->raw.size = 0;
		programs->list[i]->generation_known = false;
	}
}

void watch_programs_free(struct watch_programs *programs)
{
	size_t i;

	for (i = 0; i < programs->count; i++) {
		watched_free(&programs->list[i]->watched);
		free(programs->list[i]->unusable);
		buffer_free(&programs->list[i]->raw);
		buffer_free(&programs->list[i]->last);
		free(programs->list[i]);
	}
	free(programs->list);
	programs->list = NULL;
	programs->count = 0;
}

void watch_program_keep(struct watch_program *program)
{
	struct buffer old = program->last;

	program->last = program->raw;
	program->raw = old;
	program->raw.size = 0;
}

/* Returns the program with the build id @id, or NULL after it printed why there is none. */
static struct watch_program *find_program(struct watch_programs *programs, const char *name, struct bytes id)
{
	struct watch_program *found = NULL;
	struct buffer remark = {0};
	struct program *program;
	struct error error;
	size_t i;

	if (programs_find(programs->completion.programs, id, &program, &remark, &error) != STATUS_OK) {
		error_print(name, &error);
		buffer_free(&remark);
		return NULL;
	}
	if (remark.size)
		complain(name, "warning: %s", buffer_string(&remark));
	buffer_free(&remark);
	for (i = 0; i < programs->count; i++)
		if (!strcmp(programs->list[i]->watched.path, program->path))
			found = programs->list[i];
	if (!found)
		found = add_program(programs, program->path);
	if (!found->unusable)
		return found;
	complain(program->path, "%s", found->unusable);
	return NULL;
}

static enum status add_raw(
	struct watch_programs *programs, const char *name, struct bytes raw, const struct begin *begin)
{
	struct raw_profile first;
	struct watch_program *program;
	struct error error;
	enum status status = raw_open(&first, raw, 0, &error);

	if (status != STATUS_OK) {
		error_print(name, &error);
		return status;
	}
	program = find_program(programs, name, first.build_id);
	raw_close(&first);
	if (!program)
		return STATUS_INVALID_INPUT;
	/* Several dumps of one program have generations of their own, which nobody can compare. */
	program->generation_known = begin && !program->raw.size;
	program->generation = begin ? begin->generation : 0;
	buffer_add(&program->raw, raw.data, raw.size);
	return STATUS_OK;
}

enum status watch_add_raw(struct watch_programs *programs, const char *name, struct bytes raw)
{
	return add_raw(programs, name, raw, NULL);
}

enum status watch_add_dump(
	struct watch_programs *programs, const char *name, struct dump_receiver *dump, const struct sent_dump *sent)
{
	struct completion_report *report = programs->completion.report;
	struct buffer text = {0};
	struct error error;
	enum status status;

	if (sent->state != DUMP_COMPLETE) {
		sent_dump_problem(sent, &text);
		dump_receiver_damage(dump, &text);
		complain(name, "%.3900s", buffer_string(&text));
		buffer_free(&text);
		return STATUS_INVALID_INPUT;
	}
	status = dump_receiver_rebuild(dump, sent, &error);
	if (status != STATUS_OK)
		error_print(name, &error);
	else
		status = add_raw(programs, name, (struct bytes){dump->stream.data, dump->stream.size}, &sent->begin);
	buffer_free(&dump->stream);
	print_warnings(name, report);
	report->warning.size = 0;
	report->note.size = 0;
	return status;
}

enum status watch_add_capture(struct watch_programs *programs, const char *name, struct bytes capture)
{
	enum status status = STATUS_OK;
	struct dump_receiver dump;
	size_t i;

	dump_receiver_start(&dump, NULL, NULL);
	dump.completion = programs->completion;
	scan_bytes(&dump.scan, capture);
	dump_receiver_sort(&dump);
	if (!dump.capture.sent_count) {
		struct error error;

		status = dump_receiver_finish(&dump, NULL, &error);
		error_print(name, &error);
	}
	for (i = 0; i < dump.capture.sent_count && status == STATUS_OK; i++)
		status = watch_add_dump(programs, name, &dump, &dump.capture.sent_dumps[i]);
	dump_receiver_free(&dump);
	return status;
}
