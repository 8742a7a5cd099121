/* SPDX-License-Identifier: BSD-2-Clause */
/* examine_other.c - indexed and text profiles, cores, and files that are no profiles. */
#include "doctor.h"
#include "foreign.h"
#include "indexed.h"
#include "raw_open.h"
#include "salvage.h"
#include "text_mode.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns whether @text has an LF, and a CR before each LF. */
static bool has_crlf(struct bytes text)
{
	size_t lines = 0;
	size_t i;

	for (i = 0; i < text.size; i++)
		if (text.data[i] == '\n') {
			if (!i || text.data[i - 1] != '\r')
				return false;
			lines++;
		}
	return lines;
}

static void index_fault(struct doctor *doctor, struct doctor_file *file, unsigned int version)
{
	struct bytes bytes = file->input.bytes;
	uint64_t table = bytes.size >= 40 ? load_uint(bytes.data + 32, 8, false) : UINT64_MAX;

	if (version > INDEXED_NEWEST && version < 64)
		doctor_cause(doctor, CAUSE_OTHER_RELEASE, file, NULL,
			"has index version %u, which is newer than this bareprof knows: use the llvm-profdata that "
			"made it",
			version);
	else if (has_crlf(bytes))
		doctor_cause(doctor, CAUSE_TEXT_MODE, file, NULL,
			"was transferred in text mode, which put a CR before each LF; copy it again as a binary file");
	else if (table >= bytes.size && version && version <= INDEXED_NEWEST)
		doctor_cause(doctor, CAUSE_CUT, file, NULL,
			"is cut: its end is missing; make it again from the raw profiles, or copy it again");
	else if (version && version <= INDEXED_NEWEST)
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL,
			"changed in place: it %s; make it again from the raw profiles", file->refusal.text);
	else
		doctor_cause(doctor, CAUSE_HEADER_DAMAGED, file, NULL,
			"has a damaged header: it %s; make it again from the raw profiles", file->refusal.text);
}

void doctor_indexed(struct doctor *doctor, struct doctor_file *file)
{
	struct bytes bytes = file->input.bytes;
	unsigned int version = bytes.size >= 12 ? (unsigned int)load_uint(bytes.data + 8, 4, false) : 0;

	if (file->kind == FILE_INDEXED)
		buffer_printf(&file->what, "indexed profile, version %u", version);
	else
		buffer_add_text(&file->what, "text profile");
	file->raw_version = 0;
	file->sound = doctor_read_model(doctor, file, bytes);
	if (!file->sound && file->kind == FILE_INDEXED) {
		index_fault(doctor, file, version);
		return;
	}
	if (!file->sound) {
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL, "%s", file->refusal.text);
		return;
	}
	buffer_printf(&file->what, ", %s, %zu functions", kind_name(file->model.variants), file->model.count);
	doctor_nothing_ran(doctor, file);
	if (!file->model.count)
		doctor_cause(doctor, CAUSE_NEEDS_ELF, file, NULL,
			"has no functions: it was merged from nothing, or from profiles whose records are in the ELF "
			"file only (merge them again with 'bareprof merge --elf')");
}

/* Returns the offset of a sound raw profile in @bytes, or 0. */
static size_t find_profile(struct bytes bytes)
{
	size_t offset;

	for (offset = 1; offset + RAW_START < bytes.size; offset++) {
		struct bytes rest = {bytes.data + offset, bytes.size - offset};
		struct raw_profile profile;
		struct error unused;

		if (raw_magic(rest) && raw_sections(&profile, rest, 0, &unused) == STATUS_OK)
			return offset;
	}
	return 0;
}

/* Adds a cause for a raw profile in other bytes. */
static void inside(struct doctor *doctor, struct doctor_file *file, enum cause_id id, const char *text)
{
	struct salvage salvage = {.trust = true};
	char *out = doctor_out(file->path, ".salvaged.profraw");
	char *path = doctor_quote(file->path);
	struct error error;
	bool possible = salvage_file(doctor, file, &salvage, &error) == STATUS_OK;

	buffer_add_text(&file->what, "raw profile inside of other bytes");
	file->kept = salvage.kept;
	file->of = salvage.of;
	file->trusted = possible;
	doctor_cause(doctor, id, file,
		possible ? format("bareprof doctor --salvage %s --trust-counts %s", out, path) : NULL, "%s%s%s", text,
		possible ? "" : "; nothing of it can be saved: it ", possible ? "" : error.text);
	free(out);
	free(path);
	salvage_free(&salvage);
}

/* Returns the command that unpacks @file, or NULL if it is not compressed. */
static char *unpack_command(const struct doctor_file *file)
{
	static const struct {
		const char *magic;
		size_t size;
		const char *tool;
	} tools[] = {{"\x1f\x8b", 2, "gzip"}, {"\x28\xb5\x2f\xfd", 4, "zstd"},
		{"\xfd"
		 "7zXZ",
			5, "xz"},
		{"BZh", 3, "bzip2"}, {"\x04\x22\x4d\x18", 4, "lz4"}};
	struct bytes bytes = file->input.bytes;
	char *path;
	char *out;
	char *command;
	size_t i;

	for (i = 0; i < sizeof(tools) / sizeof(*tools); i++) {
		if (bytes.size < tools[i].size || memcmp(bytes.data, tools[i].magic, tools[i].size) != 0)
			continue;
		path = doctor_quote(file->path);
		out = doctor_out(file->path, ".unpacked");
		command = format("%s -dc <%s >%s", tools[i].tool, path, out);
		free(path);
		free(out);
		return command;
	}
	return NULL;
}

static void no_profile(struct doctor *doctor, struct doctor_file *file)
{
	struct error error;
	char *unpack = unpack_command(file);

	if (unpack) {
		buffer_add_text(&file->what, "compressed file");
		doctor_cause(doctor, CAUSE_COMPRESSED, file, unpack, "is compressed: unpack it first");
	} else if (text_mode_lossy(file->input.bytes)) {
		buffer_add_text(&file->what, "raw profile that was converted as text");
		doctor_cause(doctor, CAUSE_TEXT_MODE, file, NULL,
			"%s, so the bytes are lost: copy the profile again as a binary file",
			text_mode_words(file->input.bytes));
	} else if (foreign_refuse(file->input.bytes, &error) != STATUS_OK) {
		buffer_add_text(&file->what, "no profile");
		doctor_cause(doctor, CAUSE_NOT_A_PROFILE, file, NULL, "%s", error.text);
	} else if (text_mode_undo(file->input.bytes, &file->rescued)) {
		inside(doctor, file, CAUSE_TEXT_MODE, text_mode_words(file->input.bytes));
	} else if (memchr(file->input.bytes.data, 0, file->input.bytes.size)) {
		buffer_add_text(&file->what, "unknown file");
		doctor_cause(doctor, CAUSE_NOT_A_PROFILE, file, NULL,
			"is neither a program nor a profile nor a log with a dump: its first bytes are those of no "
			"known file; if it was a profile, its start is damaged or missing, so copy it again");
	} else {
		buffer_add_text(&file->what, "text without a dump");
		doctor_cause(doctor, CAUSE_NO_DUMP, file, NULL,
			"contains no dump and no sentence of LLVM's tools that doctor knows: the target did not dump, "
			"or its sink returned an error; print the result of the function that dumps");
	}
}

static void core(struct doctor *doctor, struct doctor_file *file)
{
	const char *elf = doctor_elf_path(doctor, NULL);
	char *path = doctor_quote(file->path);
	char *program = elf ? doctor_quote(elf) : NULL;
	char *out = doctor_out(file->path, ".pulled.profraw");

	buffer_add_text(&file->what, "core: the memory of a program or machine");
	if (doctor->said.sentences & (SAID_FORMAT | SAID_NO_OBJECT))
		doctor_cause(doctor, CAUSE_NEEDS_PULL, file,
			program ? format("bareprof pull --from core:%s --elf %s -o %s", path, program, out) : NULL,
			"is a core, which LLVM's tools do not know; 'bareprof pull --from core:' takes the counters "
			"out of it, with the ELF file of the program");
	else if (program && !doctor->next)
		doctor->next = format("bareprof pull --from core:%s --elf %s -o %s", path, program, out);
	free(path);
	free(program);
	free(out);
}

void doctor_other(struct doctor *doctor, struct doctor_file *file)
{
	size_t offset;

	switch (file->kind) {
	case FILE_EMPTY:
		buffer_add_text(&file->what, "empty file");
		doctor_cause(doctor, CAUSE_EMPTY, file, NULL,
			"is empty: the program that should have written it ended before it wrote the profile, or the "
			"disk was full");
		break;
	case FILE_UNREADABLE:
		buffer_add_text(&file->what, "unreadable");
		break;
	case FILE_CORE:
		core(doctor, file);
		break;
	case FILE_SAID:
		buffer_add_text(&file->what, "text with a sentence of LLVM's tools");
		break;
	default:
		offset = find_profile(file->input.bytes);
		if (!offset) {
			no_profile(doctor, file);
			break;
		}
		buffer_add(&file->rescued, file->input.bytes.data + offset, file->input.bytes.size - offset);
		inside(doctor, file, CAUSE_BYTES_BEFORE,
			"has other bytes before the profile, such as text of a log: write the profile to a file of its "
			"own");
	}
}
