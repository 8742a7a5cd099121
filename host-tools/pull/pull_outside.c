/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_outside.c - reads the profiles of each program from the memory of a target, as captures, and saves them like any
 * other captures. All memory is read before the first file is written, so the target stands still only briefly. A reset
 * comes last, when the files are on the disk, so no count is lost.
 */
#include "pull_outside.h"
#include "child.h"
#include "exit.h"
#include "linux_modules.h"
#include "memories.h"
#include "outside_capture.h"
#include "place_find.h"
#include "programs.h"
#include "save.h"
#include "save_capture.h"

#include <inttypes.h>
#include <stdlib.h>

/* A program, and its profiles. They are empty if the program has none. */
struct reading {
	struct program *program;
	struct samplers samplers;
	struct placed placed;
	bool found; /* @placed was found while the target was running */
	struct outside_dump counters;
	struct outside_dump machine;
	struct buffer samples; /* captures */
};

struct readings {
	const struct pull_running *pull;
	const struct outside_options *options;
	struct memory memory;
	struct linux_modules modules; /* if some of the programs are modules of Linux */
	struct reading *list;
	size_t count;
};

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
	return place_find(&reading->placed, &readings->memory, reading->program, &readings->options->hints, error);
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

static void warn(const struct reading *reading)
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
static void list_programs(struct readings *readings)
{
	const struct programs *programs = readings->pull->completion.programs;
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

static enum status read_all(struct readings *readings)
{
	struct memory *memory = &readings->memory;
	struct error error;
	enum status status;
	size_t i;

	for (i = 0; i < readings->count; i++)
		prepare(&readings->list[i]);
	status = prepare_modules(readings);
	if (status != STATUS_OK)
		return status;
	status = memory_open(memory, readings->pull->from, &error);
	if (status == STATUS_OK && readings->options->reset && !memory_can_write(memory))
		status = memory_write(memory, MEMORY_VIRTUAL, 0, NULL, 0, &error);
	for (i = 0; i < readings->count && status == STATUS_OK && memory_may_run(memory); i++)
		readings->list[i].found = find_program(readings, &readings->list[i], &error) == STATUS_OK;
	if (status == STATUS_OK)
		status = memory_stop(memory, &error);
	for (i = 0; i < readings->count && status == STATUS_OK; i++)
		status = read_again(readings, &readings->list[i], &error);
	if (status != STATUS_OK)
		error_print(readings->pull->from, &error);
	return status;
}

/* Leaves the target as it was found. @status is the exit code so far. Returns the new one. */
static enum status leave(struct readings *readings, enum status status)
{
	struct error error;
	enum status closed;

	readings->memory.leave = readings->options->leave;
	closed = memory_close(&readings->memory, &error);
	if (status != STATUS_OK || closed == STATUS_OK)
		return status;
	error_print(readings->pull->from, &error);
	return closed;
}

/* Returns the name of the file for @program. The caller frees it. */
static char *file_for(const struct pull_running *pull, const struct program *program, const char *extension)
{
	const char *slash = strrchr(program->path, '/');
	const char *base = slash ? slash + 1 : program->path;
	const char *dot = strrchr(base, '.');
	int size = (int)(dot && dot > base ? (size_t)(dot - base) : strlen(base));

	if (pull->out)
		return format("%s", pull->out);
	return format("%s%s%.*s.%s", pull->all ? pull->all : "", pull->all ? "/" : "", size, base, extension);
}

/* Saves @capture, if it is not empty. */
static enum status save_one(const struct readings *readings, const struct reading *reading,
	const struct buffer *capture, const char *extension)
{
	const struct pull_running *pull = readings->pull;
	const struct completion_options bare = {.report = pull->completion.report};
	struct bytes bytes = {capture->data, capture->size};
	enum status status = STATUS_OK;
	char *path;

	if (!capture->size)
		return STATUS_OK;
	path = file_for(pull, reading->program, extension);
	if (!strcmp(extension, "mipraw"))
		status = save_machine(bytes, pull->from, path);
	else
		status =
			save_capture(bytes, pull->from, path, strcmp(extension, "profraw") ? &bare : &pull->completion);
	free(path);
	return status;
}

/* Saves a file for each profile. With --output, there is one file for the first profile. */
static enum status save_apart(const struct readings *readings, const struct reading *reading)
{
	bool single = readings->pull->out;
	struct buffer counters = {0};
	struct buffer machine = {0};
	enum status status;

	outside_write(&counters, &reading->counters);
	outside_write(&machine, &reading->machine);
	status = save_one(readings, reading, &counters, "profraw");
	if (status == STATUS_OK && !(single && counters.size))
		status = save_one(readings, reading, &machine, "mipraw");
	if (status == STATUS_OK && !(single && counters.size | machine.size))
		status = save_one(readings, reading, &reading->samples, "capture");
	buffer_free(&counters);
	buffer_free(&machine);
	return status;
}

/* Saves one capture file with all profiles. */
static enum status save_together(const struct readings *readings, const struct reading *reading)
{
	struct buffer all = {0};
	enum status status;

	outside_write(&all, &reading->counters);
	outside_write(&all, &reading->machine);
	buffer_add(&all, reading->samples.data, reading->samples.size);
	status = save_one(readings, reading, &all, "capture");
	buffer_free(&all);
	return status;
}

static enum status save_all_captures(const struct readings *readings)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < readings->count; i++) {
		const struct reading *reading = &readings->list[i];
		enum status one;

		warn(reading);
		one = readings->pull->capture ? save_together(readings, reading) : save_apart(readings, reading);

		status = one != STATUS_OK ? one : status;
	}
	return status;
}

static enum status reset_all(struct readings *readings)
{
	struct error error;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < readings->count && status == STATUS_OK; i++)
		status = outside_reset(&readings->list[i].placed, &readings->list[i].samplers, &error);
	if (status != STATUS_OK)
		error_print(readings->pull->from, &error);
	return status;
}

/* Reads, saves and resets. */
static enum status work(struct readings *readings)
{
	enum status status = read_all(readings);

	if (!readings->options->reset || status != STATUS_OK) {
		status = leave(readings, status);
		return status == STATUS_OK ? save_all_captures(readings) : status;
	}
	status = save_all_captures(readings);
	if (status == STATUS_OK)
		status = reset_all(readings);
	return leave(readings, status);
}

static enum status check_options(const struct pull_running *pull)
{
	size_t given = pull->completion.programs->given;

	if (pull->names[0]) {
		complain(NULL, "--from %s has no images with names: leave out '%s'", pull->from, pull->names[0]);
		return STATUS_USAGE;
	}
	if (!given) {
		complain(NULL,
			"--from %s needs --elf with the ELF file of the program: the file says where the counters are; "
			"without the file, --symbols takes a list of symbols",
			pull->from);
		return STATUS_USAGE;
	}
	if (!pull->out || (given == 1 && !pull->all))
		return STATUS_OK;
	complain(NULL,
		"with --from, --output needs exactly one --elf; without --output, each program goes to NAME.profraw");
	return STATUS_USAGE;
}

enum status pull_outside(const struct pull_running *pull, const struct outside_options *options)
{
	struct readings readings = {.pull = pull, .options = options};
	struct error error;
	enum status status = check_options(pull);
	size_t i;

	if (status == STATUS_OK && pull->all && save_make_folder(pull->all, &error) != STATUS_OK) {
		error_print(pull->all, &error);
		status = STATUS_SYSTEM;
	}
	if (status != STATUS_OK)
		return status;
	/* A signal must not end bareprof while the target stands still. */
	catch_signals();
	list_programs(&readings);
	status = work(&readings);
	for (i = 0; i < readings.count; i++) {
		free(readings.list[i].samplers.list);
		free(readings.list[i].placed.section_at);
		free_dumps(&readings.list[i]);
	}
	free(readings.list);
	die_of_signal();
	return status;
}
