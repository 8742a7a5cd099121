/* SPDX-License-Identifier: BSD-2-Clause */
/* print.c - prints what the doctor found, as text or as JSON (docs/JSON.md). */
#include "doctor.h"
#include "json.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>

#define SCHEMA "bareprof-doctor-1"

static void text_file(const struct doctor_file *file)
{
	struct buffer text = {0};

	buffer_printf(&text, "%s: %.*s", input_name(file->path), (int)file->what.size, (const char *)file->what.data);
	if (file->id.size) {
		buffer_add_text(&text, ", build id ");
		buffer_add_hex(&text, (struct bytes){file->id.data, file->id.size});
	}
	if (file->fits)
		buffer_printf(&text, ", of %s", file->fits);
	print_safe_text(buffer_string(&text));
	putchar('\n');
	buffer_free(&text);
}

void doctor_text(const struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->count; i++)
		text_file(&doctor->files[i]);
	for (i = 0; i < doctor->cause_count; i++) {
		const struct cause *cause = &doctor->causes[i];

		printf("\n%s: ", cause_word(cause->id));
		if (cause->path) {
			print_safe_text(input_name(cause->path));
			putchar(' ');
		}
		print_safe_text(cause->text);
		printf(".\n");
		if (cause->command) {
			printf("    ");
			print_safe_text(cause->command);
			putchar('\n');
		}
	}
	if (doctor->cause_count)
		return;
	printf("\nNothing is wrong.\n");
	if (doctor->next) {
		printf("    ");
		print_safe_text(doctor->next);
		putchar('\n');
	}
}

static void json_file(struct json *json, const struct doctor_file *file)
{
	struct buffer id = {0};

	json_open(json, NULL, '{');
	json_text(json, "path", input_name(file->path));
	json_text(json, "kind", file_kind_word[file->kind]);
	json_bytes(json, "what", (struct bytes){file->what.data, file->what.size});
	json_bool(json, "sound", file->sound);
	if (file->id.size) {
		buffer_add_hex(&id, (struct bytes){file->id.data, file->id.size});
		json_text(json, "build_id", buffer_string(&id));
	}
	if (file->raw_version)
		json_number(json, "raw_version", file->raw_version);
	if (file->kind == FILE_ELF)
		json_number(json, "functions", file->function_count);
	else if (file->readable)
		json_number(json, "functions", file->model.count);
	if (file->fits)
		json_text(json, "program", file->fits);
	if (file->of) {
		json_open(json, "can_be_saved", '{');
		json_number(json, "functions", file->kept);
		json_number(json, "of", file->of);
		json_bool(json, "proven", !file->trusted);
		json_close(json, '}');
	}
	json_close(json, '}');
	buffer_free(&id);
}

static void json_cause(struct json *json, const struct cause *cause)
{
	json_open(json, NULL, '{');
	json_text(json, "id", cause_word(cause->id));
	if (cause->path)
		json_text(json, "file", input_name(cause->path));
	json_text(json, "text", cause->text);
	if (cause->command)
		json_text(json, "command", cause->command);
	json_close(json, '}');
}

void doctor_json(const struct doctor *doctor)
{
	struct json json = {stdout, 0, false, false};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_open(&json, "files", '[');
	for (i = 0; i < doctor->count; i++)
		json_file(&json, &doctor->files[i]);
	json_close(&json, ']');
	json_open(&json, "said", '[');
	for (i = 0; i < SENTENCES; i++)
		if (doctor->said.sentences >> i & 1)
			json_text(&json, NULL, said_words((unsigned int)i));
	json_close(&json, ']');
	json_open(&json, "causes", '[');
	for (i = 0; i < doctor->cause_count; i++)
		json_cause(&json, &doctor->causes[i]);
	json_close(&json, ']');
	if (doctor->next)
		json_text(&json, "next", doctor->next);
	json_close(&json, '}');
	putchar('\n');
}
