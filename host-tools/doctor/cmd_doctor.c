/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_doctor.c - `bareprof doctor`: says why a report is empty or refused, and saves what is sound. */
#include "commands.h"
#include "exit.h"
#include "output.h"
#include "salvage.h"

#include <limits.h>
#include <stdlib.h>

static const char *said_texts[OPTION_TIMES + 1];
static const char *salvage_path;
static const char *left_out_path;
static uint64_t release;
static bool trust;
static bool as_json;

static const struct option options[] = {
	{OPT_LIST("said", 's', "SENTENCE", said_texts, "what llvm-profdata, llvm-cov or clang said; may be repeated")},
	{OPT_NUMBER("llvm", 0, "N", &release, 10, 999, "the release of the tool that refused a file")},
	{OPT_OUTPUT(
		"salvage", 0, "OUT", &salvage_path, "write the functions whose counts are proven to OUT, a .profraw")},
	{OPT_FLAG("trust-counts", 0, &trust,
		"with --salvage: also take counts of a .profraw that visible damage does not touch")},
	{OPT_OUTPUT("left-out", 0, "LIST", &left_out_path,
		"with --salvage: write the names of all other functions to LIST")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_END},
};

static enum status read_said(struct doctor *doctor)
{
	size_t i;

	for (i = 0; said_texts[i]; i++) {
		if (said_read(&doctor->said, (struct bytes){(const uint8_t *)said_texts[i], strlen(said_texts[i])}))
			continue;
		complain(NULL, "--said \"%.200s\" is no sentence of LLVM's tools that doctor knows; %s", said_texts[i],
			doctor->count ? "only the files tell the cause" : "give the files");
		if (!doctor->count)
			return STATUS_USAGE;
	}
	return STATUS_OK;
}

static enum status open_files(struct doctor *doctor, char **operands)
{
	size_t i;

	while (operands[doctor->count])
		doctor->count++;
	doctor->files = allocate(doctor->count + 1, sizeof(*doctor->files));
	for (i = 0; i < doctor->count; i++)
		model_start(&doctor->files[i].model);
	for (i = 0; i < doctor->count; i++) {
		struct error error;
		enum status status = doctor_open(doctor, &doctor->files[i], operands[i], &error);

		if (status == STATUS_OK)
			continue;
		if (salvage_path) {
			error_print(input_name(operands[i]), &error);
			return status;
		}
		doctor_cause(doctor, CAUSE_UNREADABLE, &doctor->files[i], NULL, "%s", error.text);
	}
	return read_said(doctor);
}

/* Returns the only file from which functions can be taken, or NULL after an error. */
static const struct doctor_file *find_damaged(const struct doctor *doctor)
{
	const struct doctor_file *found = NULL;
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		const struct doctor_file *file = &doctor->files[i];

		if (file->kind == FILE_ELF || file->kind == FILE_SAID)
			continue;
		if (found) {
			complain(NULL, "--salvage takes one profile, and the programs: %s and %s are two",
				input_name(found->path), input_name(file->path));
			return NULL;
		}
		found = file;
	}
	if (!found)
		complain(NULL, "--salvage needs a profile, a capture or a log");
	return found;
}

static enum status write_file(const char *path, const struct buffer *content)
{
	struct error error;
	enum status status = output_write(path, (struct bytes){content->data, content->size}, &error);

	if (status != STATUS_OK)
		error_print(path, &error);
	return status;
}

static enum status write_salvaged(struct doctor *doctor)
{
	const struct doctor_file *file = find_damaged(doctor);
	struct salvage salvage = {.trust = trust};
	struct error error;
	enum status status;

	if (!file)
		return STATUS_USAGE;
	status = salvage_file(doctor, file, &salvage, &error);
	if (status != STATUS_OK)
		error_print(input_name(file->path), &error);
	if (status == STATUS_OK)
		status = write_file(salvage_path, &salvage.profile);
	if (status == STATUS_OK && left_out_path)
		status = write_file(left_out_path, &salvage.left_out);
	if (status == STATUS_OK)
		complain(output_name(salvage_path), "%zu of %zu functions of %s%s", salvage.kept, salvage.of,
			input_name(file->path),
			file->kind == FILE_DUMPS ? "; checksums prove their counts" : "; nothing proves their counts");
	salvage_free(&salvage);
	return status;
}

static enum status doctor(char **operands)
{
	struct doctor doctor = {.release = (unsigned int)release};
	enum status status;

	if ((trust || left_out_path) && !salvage_path) {
		complain(NULL, "--%s needs --salvage OUT", trust ? "trust-counts" : "left-out");
		return STATUS_USAGE;
	}
	if (!operands[0] && !said_texts[0]) {
		command_usage(&command_doctor, 0);
		return STATUS_USAGE;
	}
	programs_start(&doctor.programs);
	status = open_files(&doctor, operands);
	if (status == STATUS_OK) {
		doctor_examine(&doctor);
		if (salvage_path)
			status = write_salvaged(&doctor);
		else if (as_json)
			doctor_json(&doctor);
		else
			doctor_text(&doctor);
		if (status == STATUS_OK && !salvage_path && doctor.cause_count)
			status = STATUS_INVALID_INPUT;
	}
	doctor_free(&doctor);
	return status;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "say why a report is empty or refused, and save what is sound",
	.operands = "FILE...",
	.operands_min = 0,
	.operands_max = INT_MAX,
	.help = "FILE is a program (ELF), a profile in any format, a capture, a log, a core, or a text with\n"
		"what LLVM's tools said. The order does not matter. doctor tells what each file is, and\n"
		"which profile belongs to which program. Then it names the causes why a report is empty or\n"
		"refused: the one that explains most comes first. If a command mends a cause, it follows.\n"
		"The exit code is 0 if nothing is wrong, else 1.\n\n"
		"With --said or a text, causes that lead to the sentence come first:\n"
		"  bareprof doctor kernel.elf kernel.profraw --said 'no coverage data found'\n\n"
		"--salvage writes whole functions only. Each block of a dump has a checksum, which proves\n"
		"its counts; records and names come from the ELF file. A .profraw has no checksums. Nothing\n"
		"of it is written without --trust-counts. With this option, functions are written if the\n"
		"damage does not touch them: if the end of the file is missing, if other bytes precede or\n"
		"follow the profile, or if it was converted as text. If bytes changed in place, nothing is\n"
		"written.\n",
	.options = options,
	.run = doctor,
};
