/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reading.c - reads the profiles of all programs while a target stands still. All work that needs no target is done before
 * or after.
 */
#include "reading.h"
#include "exit.h"
#include "memories.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * Does all work that needs no target. The debug information is only searched if the program has code for samples, because
 * that of a kernel is large.
 */
static void prepare(struct reading *reading)
{
	const struct record_table *table;
	struct error unused;

	if (reading->program->section[BAREPROF_CNTS].size && !reading->program->image.listed)
		program_records(reading->program, 0, &table, &unused);
	if (!samplers_expected(&reading->program->image) || samplers_find(&reading->samplers, &reading->program->image))
		return;
	complain(reading->program->path,
		"warning: has samplers, but no debug information that says where they are; to get the samples, compile "
		"the file that defines struct bareprof_sampler with -g");
}

/* Finds the kernel of the modules among the programs. */
static enum status prepare_modules(struct readings *readings)
{
	struct reading *kernel = NULL;
	struct reading *module = NULL;
	struct error error;
	size_t i;

	for (i = 0; i < readings->count; i++) {
		struct reading *reading = &readings->list[i];

		if (reading->program->image.module)
			module = reading;
		else if (image_symbol(&reading->program->image, LINUX_MODULES))
			kernel = reading;
	}
	if (!module)
		return STATUS_OK;
	if (!kernel) {
		complain(module->program->path,
			"is a module, and only its kernel says where it is: give also the file vmlinux with --elf");
		return STATUS_USAGE;
	}
	readings->modules.kernel = &kernel->placed;
	if (linux_modules_prepare(&readings->modules, kernel->program, &error) == STATUS_OK)
		return STATUS_OK;
	error_print(kernel->program->path, &error);
	return STATUS_INVALID_INPUT;
}

static enum status find_program(struct readings *readings, struct reading *reading, struct error *error)
{
	if (reading->program->image.module)
		return linux_module_place(&readings->modules, &reading->placed, reading->program, error);
	return place_find(&reading->placed, &readings->memory, reading->program, readings->hints, error);
}

/* Returns whether the program is a kernel that does not count, and only its modules do. */
static bool only_modules_count(const struct readings *readings, const struct reading *reading)
{
	return readings->modules.kernel == &reading->placed && !reading->program->section[BAREPROF_CNTS].size;
}

/* Reads all profiles of a program whose place is known. */
static enum status read_program(const struct readings *readings, struct reading *reading, struct error *error)
{
	struct placed *placed = &reading->placed;
	enum status status = STATUS_OK;

	if (reading->program->image.listed && !reading->program->relocated.size)
		status = outside_records(placed, error);
	if (status == STATUS_OK)
		status = outside_counters(&reading->counters, placed, error);
	if (status == STATUS_OK)
		status = outside_machine(&reading->machine, placed, error);
	if (status == STATUS_OK)
		status = outside_samples(&reading->samples, placed, &reading->samplers, error);
	if (status == STATUS_OK && !only_modules_count(readings, reading) &&
		!(reading->counters.count | reading->machine.count | reading->samples.size))
		return error_set(error, STATUS_INVALID_INPUT,
			"has nothing to read: the ELF file %s has no counters (section __llvm_prf_cnts), no machine "
			"profile and no samples",
			reading->program->path);
	return status;
}

static void free_dumps(struct reading *reading)
{
	outside_free(&reading->counters);
	outside_free(&reading->machine);
	buffer_free(&reading->samples);
}

/*
 * Reads a program while the target stands still. Its place was found before, while the target was running. If it is not
 * there now, other page tables may be in use, so it is looked for again.
 */
static enum status read_again(struct readings *readings, struct reading *reading, struct error *error)
{
	enum status status;

	if (reading->found && read_program(readings, reading, error) == STATUS_OK)
		return STATUS_OK;
	free_dumps(reading);
	free(reading->placed.section_at);
	reading->placed.section_at = NULL;
	status = find_program(readings, reading, error);
	return status == STATUS_OK ? read_program(readings, reading, error) : status;
}

void reading_warn(const struct reading *reading)
{
	const struct placed *placed = &reading->placed;

	if (reading->program->image.listed)
		complain(reading->program->path, "warning: a list of symbols has no build id, so bareprof cannot check "
						 "that this program is running");
	else if (!placed->proven)
		complain(reading->program->path,
			"warning: has no build id in memory, so bareprof cannot check that this program is "
			"running; link it with --build-id=sha1");
	if (placed->copies)
		complain(reading->program->path,
			"warning: its build id is at %u other place%s in memory, too; took the one at 0x%" PRIx64
			", which has counts or moved pointers: check the counts, or tell the place with --slide",
			placed->copies, placed->copies == 1 ? "" : "s",
			placed_locate(placed, reading->program->build_id_address));
}

/* Fills the list of programs. Kernels come first, because only they tell where modules are. */
static void list_programs(struct readings *readings, const struct programs *programs)
{
	size_t count = 0;
	size_t i;

	readings->list = allocate(programs->given, sizeof(*readings->list));
	for (i = 0; i < programs->given; i++)
		if (!programs->list[i]->image.module)
			readings->list[count++].program = programs->list[i];
	for (i = 0; i < programs->given; i++)
		if (programs->list[i]->image.module)
			readings->list[count++].program = programs->list[i];
	readings->count = count;
}

enum status readings_start(
	struct readings *readings, const struct programs *programs, const char *from, const struct place_hints *hints)
{
	size_t i;

	*readings = (struct readings){.from = from, .hints = hints};
	list_programs(readings, programs);
	for (i = 0; i < readings->count; i++)
		prepare(&readings->list[i]);
	return prepare_modules(readings);
}

enum status readings_read(struct readings *readings, bool writable)
{
	struct memory *memory = &readings->memory;
	struct error error;
	enum status status = memory_open(memory, readings->from, &error);
	size_t i;

	if (status == STATUS_OK && writable && !memory_can_write(memory))
		status = memory_write(memory, MEMORY_VIRTUAL, 0, NULL, 0, &error);
	for (i = 0; i < readings->count && status == STATUS_OK && memory_may_run(memory); i++)
		readings->list[i].found = find_program(readings, &readings->list[i], &error) == STATUS_OK;
	if (status == STATUS_OK)
		status = memory_stop(memory, &error);
	for (i = 0; i < readings->count && status == STATUS_OK; i++)
		status = read_again(readings, &readings->list[i], &error);
	if (status != STATUS_OK)
		error_print(readings->from, &error);
	return status;
}

enum status readings_reset(struct readings *readings)
{
	struct error error;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < readings->count && status == STATUS_OK; i++)
		status = outside_reset(&readings->list[i].placed, &readings->list[i].samplers, &error);
	if (status != STATUS_OK)
		error_print(readings->from, &error);
	return status;
}

enum status readings_leave(struct readings *readings, enum memory_leave leave, enum status status)
{
	struct error error;
	enum status closed;

	readings->memory.leave = leave;
	closed = memory_close(&readings->memory, &error);
	if (status != STATUS_OK || closed == STATUS_OK)
		return status;
	error_print(readings->from, &error);
	return closed;
}

void readings_clear(struct readings *readings)
{
	size_t i;

	for (i = 0; i < readings->count; i++) {
		struct reading *reading = &readings->list[i];

		free_dumps(reading);
		free(reading->placed.section_at);
		reading->placed = (struct placed){.program = NULL};
		reading->found = false;
	}
}

void readings_free(struct readings *readings)
{
	size_t i;

	for (i = 0; i < readings->count; i++) {
		free(readings->list[i].samplers.list);
		free(readings->list[i].placed.section_at);
		free_dumps(&readings->list[i]);
	}
	free(readings->list);
}
