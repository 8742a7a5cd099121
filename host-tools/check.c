/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.c - judge a linked image: find the parts of its profile by section or by
 * symbol, then have them examined one after the other.
 */
#include "check.h"
#include "elf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const part_name[PARTS] = {
	"__llvm_prf_cnts",
	"__llvm_prf_data",
	"__llvm_prf_names",
	"__llvm_prf_bits",
	"__llvm_prf_vtab",
	"__llvm_prf_vns",
};

void check_add(struct check *check, enum severity severity, const char *id, const char *fix, const char *text, ...)
{
	struct finding finding = {severity, id, NULL, fix};
	va_list arguments;
	size_t i;

	va_start(arguments, text);
	if (vasprintf(&finding.text, text, arguments) < 0)
		die_of_memory();
	va_end(arguments);
	printable(finding.text);
	check->list = grow(check->list, check->count, &check->room, sizeof(finding));
	for (i = check->count++; i && check->list[i - 1].severity < severity; i--)
		check->list[i] = check->list[i - 1];
	check->list[i] = finding;
}

static const struct image_symbol *bound(const struct check *check, const char *prefix, size_t i)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", prefix, part_name[i]);
	return image_symbol(&check->image, name);
}

/* A script may have put them elsewhere: then only the symbols tell. */
static void find_parts(struct check *check)
{
	size_t i;

	for (i = 0; i < PARTS; i++) {
		const struct image_section *section = image_section(&check->image, part_name[i]);
		const struct image_symbol *start = bound(check, "__start_", i);
		const struct image_symbol *stop = bound(check, "__stop_", i);

		if (section && section->size) {
			check->part[i] = (struct extent){section->address, section->size};
			check->content[i] = image_content(&check->image, section);
		} else if (start && stop && stop->value > start->value) {
			check->part[i] = (struct extent){start->value, stop->value - start->value};
			section = image_where(&check->image, start->value, check->part[i].size);
			if (!section || !part(image_content(&check->image, section), start->value - section->address,
						check->part[i].size, &check->content[i]))
				check->content[i] = (struct bytes){NULL, 0};
		}
		check->present[i] = check->part[i].size;
	}
}

/* The word that objects of some kinds define; the runtime's own is weak and zero. */
static void find_version(struct check *check)
{
	const struct image_symbol *symbol = image_symbol(&check->image, "__llvm_profile_raw_version");
	const struct image_section *section = symbol ? image_where(&check->image, symbol->value, 8) : NULL;
	struct bytes bytes;

	if (section && part(image_content(&check->image, section), symbol->value - section->address, 8, &bytes))
		check->version_word = load(bytes.data, 8, check->image.big);
}

/* Every compiler of the image left a text in .comment; the linker too. */
static void find_compilers(struct check *check)
{
	struct bytes comment = image_content(&check->image, image_section(&check->image, ".comment"));
	const char *at = (const char *)comment.data;
	const char *end = at + comment.size;

	for (; at < end; at += strnlen(at, (size_t)(end - at)) + 1) {
		size_t left = (size_t)(end - at);
		char *text = format("%.*s", (int)strnlen(at, left < 255 ? left : 255), at);

		if ((strstr(text, "clang version") || strstr(text, "rustc version")) &&
			!strstr(buffer_string(&check->compilers), text))
			buffer_printf(&check->compilers, "%s%s", check->compilers.size ? "; " : "", text);
		free(text);
	}
	printable((char *)buffer_string(&check->compilers));
}

static void find_names(struct check *check)
{
	struct error error;

	if (!check->present[PART_NAMES])
		return;
	if (!check->content[PART_NAMES].size) {
		check_add(check, SEVERITY_ERROR, "names-not-filled", "__llvm_prf_names : { KEEP(*(__llvm_prf_names)) }",
			"__llvm_prf_names has no content in the file: names are constants, only counters can be "
			"NOLOAD");
		return;
	}
	if (names_read(&check->names, check->content[PART_NAMES], &error) == STATUS_OK)
		return;
	names_free(&check->names);
	check_add(check, SEVERITY_ERROR, "names-damaged", "__llvm_prf_names : { KEEP(*(__llvm_prf_names)) }", "%s",
		error.text);
}

static void judge(struct check *check, const struct elf_info *info)
{
	static const char compile[] = "compile with: -fprofile-instr-generate -fcoverage-mapping";

	check->build_id = info->build_id.size;
	find_parts(check);
	find_version(check);
	find_compilers(check);
	check->records.clang = info->clang;
	if (!check->present[PART_COUNTERS] && !check->present[PART_RECORDS]) {
		check_add(check, SEVERITY_ERROR, "not-instrumented", compile,
			"the image has neither counters nor records: none of it was compiled with instrumentation%s",
			check->present[PART_NAMES] ? ", or the linker dropped them" : "");
		return;
	}
	find_names(check);
	check_records(check);
	check_sections(check);
	check_functions(check);
}

enum status check_image(struct check *check, struct error *error)
{
	enum status status = image_open(&check->image, check->path, error);
	struct elf_info info = {0};

	if (status == STATUS_OK)
		status = elf_read(&info, check->path, error);
	if (status == STATUS_OK)
		judge(check, &info);
	elf_free(&info);
	return status;
}

void check_free(struct check *check)
{
	size_t i;

	for (i = 0; i < check->count; i++)
		free(check->list[i].text);
	free(check->list);
	names_free(&check->names);
	buffer_free(&check->compilers);
	image_close(&check->image);
}
