/* SPDX-License-Identifier: BSD-2-Clause */
/* examine_dumps.c - finds out what is wrong with a capture, or with a log that has dumps in it. */
#include "doctor.h"
#include "raw_open.h"
#include "salvage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns whether the only sign of a dump is a magic number inside of the file, which firmware has in its code, too. */
static bool is_other(const struct dump_receiver *dump)
{
	return !dump->capture.sent_count && !dump->scan.damaged_lines && dump->scan.magic_at;
}

static void describe(struct doctor_file *file, const struct dump_receiver *dump)
{
	const struct sent_dump *last = NULL;
	size_t complete = 0;
	size_t i;

	if (is_other(dump)) {
		buffer_add_text(&file->what, "unknown file with the magic number of a capture");
		return;
	}
	for (i = 0; i < dump->capture.sent_count; i++) {
		last = &dump->capture.sent_dumps[i];
		complete += last->state == DUMP_COMPLETE;
	}
	buffer_printf(&file->what, "capture or log with %zu dump%s, %zu complete", dump->capture.sent_count,
		dump->capture.sent_count == 1 ? "" : "s", complete);
	if (last && last->state == DUMP_COMPLETE && last->fills.count) {
		buffer_add_text(&file->what, dump->capture.sent_count == 1 ? ", with " : "; the last one has ");
		dump_fills_tell(&last->fills, &file->what);
	}
	dump_receiver_damage(dump, &file->what);
}

/* Returns the command that writes the profile of the dump, or of what arrived of it. */
static char *pull_command(const struct doctor *doctor, const struct doctor_file *file, bool partial)
{
	const char *elf = doctor_elf_path(doctor, file);
	char *out = doctor_out(file->path, partial ? ".salvaged.profraw" : ".pulled.profraw");
	char *path = doctor_quote(file->path);
	char *program = elf ? doctor_quote(elf) : NULL;
	char *command;

	if (partial)
		command = format(
			"bareprof doctor --salvage %s %s%s%s", out, path, program ? " " : "", program ? program : "");
	else
		command = format("bareprof pull -o %s %s%s%s%s", out, program ? "--elf " : "", program ? program : "",
			program ? " " : "", path);
	free(out);
	free(path);
	free(program);
	return command;
}

static void blocks_missing(struct doctor *doctor, struct doctor_file *file, const struct sent_dump *sent)
{
	struct salvage salvage = {.trust = false};
	struct buffer missing = {0};
	struct error error;
	bool possible = salvage_file(doctor, file, &salvage, &error) == STATUS_OK;

	sent_dump_problem(sent, &missing);
	file->kept = salvage.kept;
	file->of = salvage.of;
	if (possible)
		doctor_cause(doctor, CAUSE_BLOCKS_MISSING, file, pull_command(doctor, file, true),
			"lacks blocks: %.1500s; the counts of %zu of %zu functions arrived completely",
			buffer_string(&missing), salvage.kept, salvage.of);
	else
		doctor_cause(doctor, CAUSE_BLOCKS_MISSING, file, NULL,
			"lacks blocks: %.1500s; nothing can be saved, because it %s", buffer_string(&missing),
			error.text);
	buffer_free(&missing);
	salvage_free(&salvage);
}

/* Adds the cause why the complete dump @sent gives no profile. */
static void refused(struct doctor *doctor, struct doctor_file *file, const struct sent_dump *sent)
{
	const char *text = file->refusal.text;

	if (sent->counters && !programs_any(&doctor->programs))
		doctor_cause(doctor, CAUSE_NEEDS_ELF, file, NULL,
			"has counters only: records and names are in the ELF file of the program, so name that file, "
			"too (--elf in other commands)");
	else if (sent->begin.id.size && programs_any(&doctor->programs) &&
		 !programs_have(&doctor->programs, sent->begin.id))
		doctor_cause(doctor, CAUSE_OTHER_BUILD, file, NULL,
			"comes from another build than the program, because the build ids differ; give the ELF file "
			"that ran, or run this one and dump again");
	else if (strstr(text, "no program counts that far"))
		doctor_cause(doctor, CAUSE_COUNTERS_NOT_SET, file, NULL, "%s", text);
	else if (strstr(text, "ELF file"))
		doctor_cause(doctor, strstr(text, "cannot be completed") ? CAUSE_IMAGE_FAULT : CAUSE_OTHER_BUILD, file,
			NULL, "%s", text);
	else
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL, "%s", text);
}

/* Adds the cause why the profile in file->rescued, which arrived completely, cannot be read. */
static void unreadable(struct doctor *doctor, struct doctor_file *file)
{
	struct raw_profile profile;
	struct error unused;
	bool sound =
		raw_open(&profile, (struct bytes){file->rescued.data, file->rescued.size}, 0, &unused) == STATUS_OK;

	if (sound && raw_correlated(&profile))
		doctor_cause(doctor, CAUSE_NEEDS_ELF, file, NULL, "%s", file->refusal.text);
	else if (!sound || !doctor_names_wrong(doctor, file, &profile))
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL, "%s", file->refusal.text);
	raw_close(&profile);
}

/* Examines the dump that started last, from which commands make the profile. */
static void examine_last(struct doctor *doctor, struct doctor_file *file, struct dump_receiver *dump)
{
	enum status status = dump_receiver_finish(dump, NULL, &file->refusal);
	const struct sent_dump *sent = dump->sent;

	/* dump_receiver_finish() may have dropped dumps of other kinds. */
	if (!sent && dump->capture.sent_count)
		sent = &dump->capture.sent_dumps[dump->capture.sent_count - 1];
	if (sent && sent->begin_block)
		buffer_add(&file->id, sent->begin.id.data, sent->begin.id.size);
	if (status == STATUS_OK) {
		file->rescued = dump->stream;
		dump->stream = (struct buffer){0};
		file->sound = doctor_read_model(doctor, file, (struct bytes){file->rescued.data, file->rescued.size});
		if (file->sound)
			doctor_nothing_ran(doctor, file);
		else
			unreadable(doctor, file);
		if (doctor->said.sentences & cause_sentences(CAUSE_NEEDS_PULL))
			doctor_cause(doctor, CAUSE_NEEDS_PULL, file,
				doctor->said.sentences & SAID_MAGIC ? doctor_merge(doctor, file)
								    : pull_command(doctor, file, false),
				"is a capture or a log, which LLVM's tools do not know; bareprof makes a profile of "
				"it");
		return;
	}
	if (!sent) {
		doctor_cause(doctor, is_other(dump) ? CAUSE_NOT_A_PROFILE : CAUSE_BLOCKS_MISSING, file, NULL, "%s",
			file->refusal.text);
	} else if (sent_dump_reader(sent)) {
		file->sound = sent->state == DUMP_COMPLETE;
		if (doctor->said.sentences)
			doctor_cause(doctor, CAUSE_NEEDS_PULL, file, NULL,
				"has %s, which LLVM's tools do not know: '%s' reads it",
				sent->samples ? "samples" : "a machine profile", sent_dump_reader(sent));
	} else if (sent->state == DUMP_COMPLETE) {
		refused(doctor, file, sent);
	} else {
		blocks_missing(doctor, file, sent);
	}
}

void doctor_dumps(struct doctor *doctor, struct doctor_file *file)
{
	struct completion_report report = {.warning = {0}};
	struct dump_receiver dump;

	dump_receiver_start(&dump, NULL, NULL);
	dump.completion.programs = &doctor->programs;
	dump.completion.report = &report;
	scan_bytes(&dump.scan, file->input.bytes);
	dump_receiver_sort(&dump);
	describe(file, &dump);
	examine_last(doctor, file, &dump);
	file->origin = report.origin;
	report.origin = (struct buffer){0};
	completion_report_free(&report);
	dump_receiver_free(&dump);
}
