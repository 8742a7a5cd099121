/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_fix.c - the list of findings, and the lines that fix them. Lines for
 * linker scripts are the same as in our linker fragments.
 */
#include "../linker/bareprof.lds.h"
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE(...)     #__VA_ARGS__
#define EXPANDED(...) LINE(__VA_ARGS__)

static const char *const section_apart[SECTIONS] = {
	[SECTION_RECORDS] = EXPANDED(BAREPROF_APART(__llvm_prf_data)),
	[SECTION_NAMES] = EXPANDED(BAREPROF_APART(__llvm_prf_names)),
	[SECTION_VTABLES] = EXPANDED(BAREPROF_APART(__llvm_prf_vtab)),
	[SECTION_VNAMES] = EXPANDED(BAREPROF_APART(__llvm_prf_vns)),
};

static const char *const section_line[SECTIONS] = {
	[SECTION_COUNTERS] = EXPANDED(BAREPROF_SECTION(__llvm_prf_cnts, , )),
	[SECTION_RECORDS] = EXPANDED(BAREPROF_SECTION(__llvm_prf_data, , )),
	[SECTION_NAMES] = EXPANDED(BAREPROF_SECTION(__llvm_prf_names, , )),
	[SECTION_BITMAPS] = EXPANDED(BAREPROF_SECTION(__llvm_prf_bits, , )),
	[SECTION_VTABLES] = EXPANDED(BAREPROF_SECTION(__llvm_prf_vtab, , )),
	[SECTION_VNAMES] = EXPANDED(BAREPROF_SECTION(__llvm_prf_vns, , )),
};

static const struct {
	const char *word;
	const char *phrase;
} locations[] = {
	[FIX_COMPILE] = {"compile", "compile with"},
	[FIX_COMPILE_WITHOUT] = {"compile-without", "compile without"},
	[FIX_COMPILE_AGAIN] = {"compile-again", "compile again, with the same clang and options as the others"},
	[FIX_FILES_WITHOUT] = {"files-without", "compile without instrumentation"},
	[FIX_CALL] = {"call", "in start-up code, before the first instrumented function"},
	[FIX_OBJCOPY] = {"objcopy", "objcopy with"},
	[FIX_SOURCE] = {"source", "in front of the function"},
	[FIX_DEFINITION] = {"definition", "in one C file, outside of all functions"},
	[FIX_LINK] = {"link", "link with"},
	[FIX_SCRIPT] = {"script", "linker script, after .data, instead of the lines that name the section now"},
	[FIX_FRAGMENT] = {"fragment",
		"bareprof.ld, or another fragment, as its last line instead of INSERT AFTER .bss"},
	[FIX_LINKED] = {"linked", "after linking, before you convert the image to another file format"},
	[FIX_PARTIAL] = {"partial-link", "ld -r, with"},
	[FIX_PARTIAL_WITHOUT] = {"partial-link-without", "ld -r, without"},
	[FIX_PARTIAL_SCRIPT_WITHOUT] = {"partial-script-without", "linker script of ld -r, without"},
};

static char *sentence(const char *text, va_list arguments)
{
	char *result;

	if (vasprintf(&result, text, arguments) < 0)
		die_of_memory();
	printable(result);
	return result;
}

/*
 * Returns the rank of a finding in the list. FINDING_STRIPPED comes first, because other findings may be wrong if the
 * image has no symbols.
 */
static int rank(enum severity severity, enum finding_id id)
{
	return id == FINDING_STRIPPED ? SEVERITY_ERROR + 1 : (int)severity;
}

/* Adds a finding after all findings whose rank is the same or higher. Takes ownership of @text. */
static struct finding *insert(struct check *check, enum severity severity, enum finding_id id, char *text)
{
	struct finding finding = {.severity = severity, .id = id, .lean = check->lean, .text = text};
	size_t i;

	check->list = array_grow(check->list, check->count, &check->room, sizeof(finding));
	for (i = check->count++; i && rank(check->list[i - 1].severity, check->list[i - 1].id) < rank(severity, id);
		i--)
		check->list[i] = check->list[i - 1];
	check->list[i] = finding;
	return &check->list[i];
}

struct finding *check_add(struct check *check, enum finding_id id, const char *text, ...)
{
	va_list arguments;
	char *result;

	va_start(arguments, text);
	result = sentence(text, arguments);
	va_end(arguments);
	return insert(check, finding_severity(id), id, result);
}

struct finding *check_add_as(struct check *check, enum severity severity, enum finding_id id, const char *text, ...)
{
	va_list arguments;
	char *result;

	va_start(arguments, text);
	result = sentence(text, arguments);
	va_end(arguments);
	return insert(check, severity, id, result);
}

void fix_add(struct finding *finding, enum fix_location location, const char *line, ...)
{
	struct fix fix = {location, NULL};
	va_list arguments;
	size_t i;

	va_start(arguments, line);
	fix.line = sentence(line, arguments);
	va_end(arguments);
	/*
	 * If several sections need the same line, the line defines bounds. It must follow the other lines of all these
	 * sections. Therefore, if the finding already has this line, the line moves to the end.
	 */
	for (i = 0; i < finding->count; i++)
		if (finding->fixes[i].location == location && !strcmp(finding->fixes[i].line, fix.line)) {
			free(finding->fixes[i].line);
			memmove(&finding->fixes[i], &finding->fixes[i + 1], (--finding->count - i) * sizeof(fix));
		}
	finding->fixes = array_grow(finding->fixes, finding->count, &finding->room, sizeof(fix));
	finding->fixes[finding->count++] = fix;
}

void fix_section(struct finding *finding, enum profile_section section)
{
	if (!finding->lean || !section_apart[section]) {
		fix_add(finding, FIX_SCRIPT, "%s", section_line[section]);
		return;
	}
	fix_add(finding, FIX_SCRIPT, "%s", section_apart[section]);
	fix_add(finding, FIX_SCRIPT, "%s", EXPANDED(BAREPROF_RECORDS_EMPTY()));
}

void fix_records(struct finding *finding)
{
	fix_section(finding, SECTION_COUNTERS);
	fix_section(finding, SECTION_BITMAPS);
	fix_section(finding, SECTION_RECORDS);
	fix_section(finding, SECTION_NAMES);
}

/*
 * With (INFO), the linker keeps the mapping out of memory, even if an object marks the mapping as allocated. Objects
 * from clang before 13 do this.
 */
void fix_mapping(struct finding *finding)
{
	fix_add(finding, FIX_SCRIPT, "__llvm_covmap 0 (INFO) : { KEEP(*(__llvm_covmap)) }");
	fix_add(finding, FIX_SCRIPT, "__llvm_covfun 0 (INFO) : { KEEP(*(__llvm_covfun)) }");
}

void fix_build_id(struct finding *finding)
{
	fix_add(finding, FIX_SCRIPT, "%s", EXPANDED(BAREPROF_NOTE()));
}

void fix_value_lists(struct finding *finding)
{
	fix_add(finding, FIX_SCRIPT, "%s", EXPANDED(BAREPROF_SECTION(__llvm_prf_vals, , )));
	fix_add(finding, FIX_SCRIPT, "%s", EXPANDED(BAREPROF_SECTION(__llvm_prf_vnds, , )));
}

const char *fix_location_word(enum fix_location location)
{
	return locations[location].word;
}

const char *fix_location_phrase(enum fix_location location)
{
	return locations[location].phrase;
}
