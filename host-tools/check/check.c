/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.c - checks a linked image. Reads the image, the names of its compilers and the names of its functions, and
 * calls the checks in the other files one after the other.
 */
#include "check.h"
#include "elf_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes the list of the image's compilers: the versions of clang and rustc in the section .comment. This section also
 * contains the versions of other tools, such as the linker, which the list leaves out.
 */
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
			buffer_add_clause(&check->compilers, "%s", text);
		free(text);
	}
	printable((char *)buffer_string(&check->compilers));
}

static void find_names(struct check *check)
{
	struct finding *finding;
	struct error error;

	if (!check->present[SECTION_NAMES])
		return;
	if (!check->content[SECTION_NAMES].size) {
		finding = check_add(check, FINDING_NAMES_NOT_FILLED,
			"__llvm_prf_names has no content in the file: names are constants, so their section must not "
			"be NOLOAD");
	} else if (names_read(&check->names, check->content[SECTION_NAMES], &error) != STATUS_OK) {
		names_free(&check->names);
		finding = check_add(check, FINDING_NAMES_DAMAGED, "the image %s", error.text);
	} else {
		return;
	}
	fix_section(finding, SECTION_NAMES);
}

/*
 * Returns any symbol whose name begins with __profc_, or NULL if there is none. clang gives such names to counters. The
 * search uses only the prefix, because the release of clang determines which of these symbols exist.
 */
static const struct image_symbol *any_counters(const struct check *check)
{
	return image_prefix(&check->image, "__profc_");
}

static void report_nothing(struct check *check)
{
	const struct image_symbol *stray = any_counters(check);
	struct finding *finding;
	size_t i;

	if (stray || check->present[SECTION_NAMES]) {
		finding = check_add(check, FINDING_BOUNDS_UNDEFINED,
			"the image has %s, but no sections __llvm_prf_cnts and __llvm_prf_data, and no symbols at "
			"their start and end: the linker dropped these sections, or merged them into others",
			stray ? "counters" : "names of instrumented functions");
		for (i = 0; i < SECTIONS; i++)
			fix_section(finding, (enum profile_section)i);
		return;
	}
	finding = check_add(check, FINDING_NOT_INSTRUMENTED,
		"the image has neither counters nor records: none of it was compiled with instrumentation");
	fix_add(finding, FIX_COMPILE, "-fprofile-instr-generate -fcoverage-mapping");
}

static void check_all(struct check *check, const struct elf_info *info)
{
	bool whole;

	check->build_id = info->build_id.size;
	check->unstamped = info->unstamped && !check->build_id;
	check_find_sections(check);
	check->version_word = image_version_word(&check->image);
	find_compilers(check);
	check->records.clang = info->clang;
	check_machine(check);
	whole = check_bounds(check);
	if (!check->present[SECTION_COUNTERS] && !check->present[SECTION_RECORDS] && whole) {
		if (check->machine.present && !check->present[SECTION_NAMES] && !any_counters(check))
			check_build_id(check);
		else
			report_nothing(check);
		return;
	}
	find_names(check);
	if (whole)
		check_records(check);
	check_sections(check);
	check_filled(check);
	if (whole) {
		check_functions(check);
		check_runtime(check);
		check_buffers(check);
		check_releases(check);
	}
}

/*
 * Returns true for an executable or a module, and false for an object file, which is not linked yet. A module is
 * relocatable like an object file. But only a module has symbols that bound the sections, because an object file gets
 * these symbols when it is linked.
 */
static bool is_linked(const struct check *check)
{
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (check_bound(check, BOUNDS_OURS, (enum profile_section)i, false) ||
			check_bound(check, BOUNDS_LINUX, (enum profile_section)i, false))
			return true;
	return !check->image.module;
}

enum status check_image(struct check *check, struct error *error)
{
	enum status status = image_open(&check->image, check->path, error);
	struct elf_info info = {0};

	if (status == STATUS_OK && !is_linked(check))
		return error_set(error, STATUS_INVALID_INPUT,
			"is a relocatable object without symbols that bound the profile's sections: check needs the "
			"linked image, or a module (ld -r -T) whose linker script defines these symbols");
	if (status == STATUS_OK)
		status = elf_read(&info, check->path, error);
	if (status == STATUS_OK)
		check_all(check, &info);
	if (status == STATUS_OK)
		status = check_unmapped(check, error);
	elf_free(&info);
	return status;
}

void check_free(struct check *check)
{
	size_t i;
	size_t j;

	for (i = 0; i < check->count; i++) {
		struct finding *finding = &check->list[i];

		for (j = 0; j < finding->count; j++)
			free(finding->fixes[j].line);
		free(finding->fixes);
		free(finding->function);
		free(finding->text);
	}
	free(check->list);
	buffer_free(&check->relocated);
	records_free(&check->records);
	names_free(&check->names);
	buffer_free(&check->compilers);
	image_close(&check->image);
}
