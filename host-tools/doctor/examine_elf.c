/* SPDX-License-Identifier: BSD-2-Clause */
/* examine_elf.c - the programs: their functions, their coverage mapping, and their faults. */
#include "check.h"
#include "doctor.h"

#include <stdlib.h>

/* At most this many findings of `bareprof check` become causes. */
#define FAULTS_MAX 3

static int compare(const void *left, const void *right)
{
	const struct doctor_function *a = left;
	const struct doctor_function *b = right;

	return a->name != b->name   ? (a->name < b->name ? -1 : 1)
	       : a->hash != b->hash ? (a->hash < b->hash ? -1 : 1)
	                            : 0;
}

/* Adds the functions of the record table, or, if the program has no records, those of the mapping. */
static void list_functions(struct doctor_file *file, const struct record_table *table, const struct mapping *mapping)
{
	size_t count = table ? table->count : mapping->record_count;
	size_t i;

	file->functions = allocate(count + 1, sizeof(*file->functions));
	for (i = 0; i < count; i++) {
		uint64_t name = table ? table->functions[i].name : mapping->records[i].name;
		uint64_t hash = table ? table->functions[i].hash : mapping->records[i].hash;

		if (table || hash)
			file->functions[file->function_count++] = (struct doctor_function){name, hash};
	}
	qsort(file->functions, file->function_count, sizeof(*file->functions), compare);
}

/* Reads the mapping, and adds a cause if it is damaged. */
static void read_mapping(struct doctor *doctor, struct doctor_file *file, struct mapping *mapping)
{
	struct file_names files = {.count = 0};
	struct error error;

	if (mapping_read(mapping, file->path, &files, &error) != STATUS_OK)
		doctor_cause(doctor, CAUSE_MAPPING_DAMAGED, file, NULL,
			"has a coverage mapping that cannot be read, so link the program again: it %s", error.text);
	else if (mapping->record_count)
		file->mapping_version = mapping->list_count ? mapping->lists[0].version : 0;
	file->mapped = mapping->record_count;
	file_names_free(&files);
}

static void describe(struct doctor_file *file, const struct elf_info *info)
{
	buffer_printf(&file->what, "program for %s", info->machine);
	if (info->clang)
		buffer_printf(&file->what, ", clang %u", info->clang);
	if (file->function_count)
		buffer_printf(&file->what, ", %zu instrumented function%s", file->function_count,
			file->function_count == 1 ? "" : "s");
	buffer_add_text(&file->what, file->mapped ? ", coverage mapping" : ", no coverage mapping");
	if (file->lean)
		buffer_add_text(&file->what, ", lean");
}

void doctor_elf(struct doctor *doctor, struct doctor_file *file)
{
	const struct record_table *table = NULL;
	struct mapping mapping = {.big = false};
	struct elf_info info = {.machine = NULL};
	struct program *program;
	struct error error;

	if (elf_read(&info, file->path, &error) != STATUS_OK ||
		programs_elf(&doctor->programs, file->path, &error) != STATUS_OK) {
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL,
			"is a damaged ELF file: it %s; link it again, or copy it again", error.text);
		buffer_add_text(&file->what, "damaged ELF file");
		elf_free(&info);
		return;
	}
	program = doctor->programs.list[doctor->programs.count - 1];
	if (program->scattered) {
		doctor_cause(doctor, CAUSE_IMAGE_FAULT, file, NULL, PROGRAM_SCATTERED);
		buffer_add_text(&file->what, "object file");
		elf_free(&info);
		return;
	}
	file->sound = true;
	file->clang = info.clang;
	file->counters = program->section[BAREPROF_CNTS].size;
	file->lean = file->counters &&
	             (program->correlated || (program_has(program) && !program->section[BAREPROF_DATA].moves));
	buffer_add(&file->id, info.build_id.data, info.build_id.size);
	read_mapping(doctor, file, &mapping);
	if (!file->counters || program_records(program, 0, &table, &error) != STATUS_OK)
		table = NULL;
	file->recorded = table;
	list_functions(file, table, &mapping);
	describe(file, &info);
	mapping_free(&mapping);
	elf_free(&info);
}

/* Returns whether the finding explains a report that is empty or refused. */
static bool is_fault(const struct finding *finding)
{
	return finding->severity == SEVERITY_ERROR || finding->id == FINDING_MAPPING_WITHOUT_FUNCTIONS;
}

void doctor_program_faults(struct doctor *doctor, struct doctor_file *file)
{
	struct check check = {.path = file->path};
	struct error unused;
	size_t faults = 0;
	size_t i;

	if (!file->sound || check_image(&check, &unused) != STATUS_OK) {
		check_free(&check);
		return;
	}
	for (i = 0; i < check.count && faults < FAULTS_MAX; i++) {
		const struct finding *finding = &check.list[i];

		if (!is_fault(finding))
			continue;
		faults++;
		if (finding->id == FINDING_NOT_INSTRUMENTED)
			doctor_cause(doctor, CAUSE_NOT_INSTRUMENTED, file, NULL,
				"has no counters: none of it was compiled with -fprofile-instr-generate "
				"-fcoverage-mapping, or a later link dropped them");
		else
			doctor_cause(doctor, CAUSE_IMAGE_FAULT, file, NULL,
				"cannot give a sound profile (%s): %.1500s; 'bareprof check' prints the lines that "
				"mend it",
				finding_word(finding->id), finding->text);
	}
	check_free(&check);
}
