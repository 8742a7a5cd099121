/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_report.c - `bareprof report`: coverage of an ELF file by the llvm-cov that
 * goes with its profile.
 */
#include "child.h"
#include "commands.h"
#include "elf.h"
#include "llvm.h"
#include "output.h"
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *html_folder;
static const char *lcov_path;
static const char *fail_under;
static const char *llvm_release;

static const struct option options[] = {
	{"html", 0, "DIR", "write an HTML report into DIR", NULL, &html_folder},
	{"lcov", 0, "FILE", "write an LCOV file (for genhtml, Codecov, GitLab)", NULL, &lcov_path},
	{"fail-under", 0, "PERCENT", "exit with 6 if fewer lines are covered", NULL, &fail_under},
	{"llvm", 0, "N", "use the tools of LLVM release N", NULL, &llvm_release},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

/* All that the steps of one report share. */
struct report {
	const char *elf_path;
	const char *subject; /* what an error is about */
	struct elf_info elf;
	struct profile_file profile;
	struct llvm llvm;
	char *folder; /* temporary */
	char *indexed; /* profile there */
	double fail_under;
	unsigned int forced;
};

static void add_id(struct buffer *text, const uint8_t *id, size_t n)
{
	while (n--)
		buffer_printf(text, "%02x", *id++);
}

static enum status check_ids(const struct report *report, struct bytes id, struct error *error)
{
	const struct buffer *of_elf = &report->elf.build_id;
	struct buffer text = {0};

	if (!id.size || !of_elf->size || (id.size == of_elf->size && !memcmp(id.data, of_elf->data, id.size)))
		return STATUS_OK;
	buffer_add_text(&text, "is of another build: its build id is ");
	add_id(&text, id.data, id.size);
	buffer_printf(&text, ", that of %s is ", report->elf_path);
	add_id(&text, of_elf->data, of_elf->size);
	error_set(error, STATUS_BAD, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_BAD;
}

/* Can this profile have a coverage report at all, and is it of this ELF file? */
static enum status check_profile(const struct report *report, const struct raw_profile *profile, struct error *error)
{
	if (profile->version_word & BAREPROF_VARIANT_IR)
		return error_set(error, STATUS_BAD,
			"is a PGO profile without coverage mapping, so there is no coverage report; "
			"'bareprof show' and 'llvm-profdata show' read it");
	if (raw_correlated(profile))
		return error_set(error, STATUS_BAD,
			"has no records, they are in the ELF file; give it to llvm-profdata merge --binary-file or "
			"--debug-info");
	return check_ids(report, profile->build_id, error);
}

static enum status check_inputs(struct report *report, struct raw_profile *profile, struct error *error)
{
	struct bytes raw = report->profile.raw;
	enum status status = STATUS_OK;
	size_t offset = 0;

	while (offset < raw.size && status == STATUS_OK) {
		status = raw_open(profile, raw, offset, error);
		if (status == STATUS_OK)
			status = check_profile(report, profile, error);
		offset = profile->end;
	}
	if (status == STATUS_OK && !report->elf.coverage_mapping) {
		report->subject = report->elf_path;
		status = error_set(error, STATUS_BAD,
			"has no coverage mapping (section __llvm_covmap): compile with -fcoverage-mapping and do not "
			"strip it");
	}
	return status;
}

/* Run @words; if that fails the tool has said why. */
static enum status run_tool(const char *const *words, struct buffer *output, struct error *error)
{
	enum status status;
	int exit_status;

	/* execvp() takes them as not constant, but does not change them. */
	status = child_run((char *const *)(uintptr_t)words, output, &exit_status, error);
	if (status == STATUS_OK && exit_status)
		status = error_set(error, STATUS_BAD, "%s %s failed with status %d", words[0], words[1], exit_status);
	return status;
}

static enum status make_indexed(struct report *report, struct error *error)
{
	char *raw = format("%s/dump.profraw", report->folder);
	const char *words[] = {report->llvm.profdata, "merge", "-o", report->indexed, raw, NULL};
	enum status status = output_write(raw, report->profile.raw, error);

	if (status == STATUS_OK)
		status = run_tool(words, NULL, error);
	free(raw);
	return status;
}

/* llvm-cov VERB with up to two options more, on the ELF file and the profile. */
static enum status cov(struct report *report, const char *verb, const char *first, const char *second,
	struct buffer *output, struct error *error)
{
	char *profile = format("-instr-profile=%s", report->indexed);
	char *elf = format("%s%s", *report->elf_path == '-' ? "./" : "", report->elf_path);
	const char *words[] = {report->llvm.cov, verb, elf, profile, first, second, NULL};
	enum status status = run_tool(words, output, error);

	free(profile);
	free(elf);
	return status;
}

static enum status write_html(struct report *report, struct error *error)
{
	char *where = format("-output-dir=%s", html_folder);
	char *index = format("%s/index.html", html_folder);
	enum status status = cov(report, "show", "-format=html", where, NULL, error);

	if (status == STATUS_OK && access(index, R_OK))
		status = error_set(
			error, STATUS_SYSTEM, "llvm-cov has not written %s; can the folder be written to?", index);
	if (status == STATUS_OK)
		printf("%s\n", index);
	free(index);
	free(where);
	return status;
}

static enum status write_lcov(struct report *report, struct error *error)
{
	struct buffer text = {0};
	enum status status = cov(report, "export", "-format=lcov", NULL, &text, error);

	if (status == STATUS_OK) {
		status = output_write(lcov_path, (struct bytes){text.data, text.size}, error);
		if (status != STATUS_OK)
			report->subject = lcov_path;
	}
	buffer_free(&text);
	return status;
}

/* The number after "@key": from @text on, which llvm-cov wrote. */
static bool number_after(const char *text, const char *key, double *value)
{
	const char *at = text ? strstr(text, key) : NULL;

	if (at)
		*value = strtod(at + strlen(key), NULL);
	return at != NULL;
}

static enum status check_percent(struct report *report, struct error *error)
{
	struct buffer text = {0};
	enum status status = cov(report, "export", "-summary-only", NULL, &text, error);
	const char *lines = status == STATUS_OK ? strstr(buffer_string(&text), "\"totals\":") : NULL;
	double count = 0;
	double covered = 0;

	lines = lines ? strstr(lines, "\"lines\":") : NULL;
	if (status == STATUS_OK &&
		(!number_after(lines, "\"count\":", &count) || !number_after(lines, "\"covered\":", &covered)))
		status = error_set(error, STATUS_SYSTEM, "llvm-cov export says nothing of lines");
	report->subject = report->elf_path;
	if (status == STATUS_OK && covered * 100 < report->fail_under * count)
		status = error_set(error, STATUS_BELOW, "%.2f %% of the lines are covered (%.0f of %.0f), below %s %%",
			covered * 100 / count, covered, count, fail_under);
	buffer_free(&text);
	return status;
}

/* Say in one line which tools were chosen. */
static void tell(const struct report *report, const struct raw_profile *profile)
{
	bool checked = profile->build_id.size && report->elf.build_id.size;

	complain(NULL, "using %s and %s for raw version %u%s", report->llvm.profdata, report->llvm.cov,
		profile->version,
		checked ? "" : "; without build ids on both sides it is not checked that they belong together");
}

static enum status write_reports(struct report *report, struct error *error)
{
	enum status status = temporary_folder(&report->folder, error);

	if (status != STATUS_OK)
		return status;
	report->indexed = format("%s/dump.profdata", report->folder);
	status = make_indexed(report, error);
	if (status == STATUS_OK)
		status = cov(report, "report", NULL, NULL, NULL, error);
	if (status == STATUS_OK && html_folder)
		status = write_html(report, error);
	if (status == STATUS_OK && lcov_path)
		status = write_lcov(report, error);
	if (status == STATUS_OK && fail_under)
		status = check_percent(report, error);
	free(report->indexed);
	temporary_remove(report->folder);
	free(report->folder);
	return status;
}

static bool read_numbers(struct report *report)
{
	char *end;

	if (fail_under) {
		report->fail_under = strtod(fail_under, &end);
		if (end == fail_under || *end || !(report->fail_under >= 0 && report->fail_under <= 100)) {
			complain(NULL, "--fail-under takes a percentage from 0 to 100, not '%s'", fail_under);
			return false;
		}
	}
	if (llvm_release) {
		unsigned long number = strtoul(llvm_release, &end, 10);

		if (*end || number < 10 || number > 999) {
			complain(NULL, "--llvm takes a release such as 16, not '%s'", llvm_release);
			return false;
		}
		report->forced = (unsigned int)number;
	}
	return true;
}

static enum status report(char **operands)
{
	struct report report = {.elf_path = operands[0], .subject = operands[0]};
	struct raw_profile profile;
	struct error error;
	enum status status;

	if (!read_numbers(&report))
		return STATUS_USAGE;
	catch_signals();
	status = elf_read(&report.elf, operands[0], &error);
	if (status == STATUS_OK) {
		report.subject = input_name(operands[1]);
		status = profile_read(&report.profile, operands[1], &error);
		if (status == STATUS_OK)
			status = check_inputs(&report, &profile, &error);
		if (status == STATUS_OK)
			status = llvm_find(&report.llvm, profile.version, report.elf.clang, report.forced, &error);
		if (status == STATUS_OK) {
			tell(&report, &profile);
			status = write_reports(&report, &error);
		}
		profile_free(&report.profile);
	}
	if (status != STATUS_OK && !caught_signal())
		error_print(report.subject, &error);
	llvm_free(&report.llvm);
	elf_free(&report.elf);
	die_of_signal();
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "coverage of a program by the llvm-cov that fits",
	.operands = "ELF PROFILE|-",
	.operands_least = 2,
	.operands_most = 2,
	.help = "PROFILE is a .profraw, or a capture or console log with a dump in it. The build\n"
		"ids of both must be the same. A table goes to the terminal; --html and --lcov\n"
		"write more. The LLVM tools are those of the release that compiled ELF, or else\n"
		"the newest that reads the profile's raw version.\n",
	.options = options,
	.run = report,
};
