/* SPDX-License-Identifier: BSD-2-Clause */
/* order.c - the causes that come from the release of the tool, and the order of all causes. */
#include "doctor.h"
#include "indexed.h"
#include "raw_release.h"
#include "versions.h"

#include <inttypes.h>
#include <stdlib.h>

/* Version words of a coverage mapping, and the first releases of LLVM that read them. */
static const struct {
	unsigned int word;
	unsigned int release;
} mapping_releases[] = {{6, 18}, {5, 13}};

static unsigned int mapping_release(unsigned int word)
{
	size_t i;

	for (i = 0; i < sizeof(mapping_releases) / sizeof(*mapping_releases); i++)
		if (word >= mapping_releases[i].word)
			return mapping_releases[i].release;
	return 0;
}

/* Returns the command that makes of @file a profile that release @release reads. If it is 0, all releases from 13 on do. */
static char *convert_command(const struct doctor_file *file, unsigned int release)
{
	char *path = doctor_quote(file->path);
	bool raw = file->raw_version && release;
	char *out = doctor_out(file->path, raw ? ".converted.profraw" : ".converted.profdata");
	char *command;

	if (raw)
		command = format("bareprof convert --to raw --for-llvm %u -o %s %s", release, out, path);
	else if (release)
		command = format("bareprof merge --for-llvm %u -o %s %s", release, out, path);
	else
		command = format("bareprof merge --for-llvm %u -o %s %s", RELEASE_OLDEST, out, path);
	free(path);
	free(out);
	return command;
}

/* Adds a cause if @release does not read the raw profile @file. */
static void raw_release_cause(struct doctor *doctor, const struct doctor_file *file, unsigned int release)
{
	unsigned int wants = release ? raw_version_of_release(release) : (unsigned int)doctor->said.wants_version;
	const struct raw_release *reads = raw_release(wants);
	const struct raw_release *has = raw_release(file->raw_version);

	if (!has || wants == file->raw_version || (!wants && !(doctor->said.sentences & SAID_VERSION)))
		return;
	doctor_cause(doctor, CAUSE_OTHER_RELEASE, file,
		convert_command(file, release ? release
				      : reads ? reads->oldest
					      : 0),
		"has raw version %u, which only the llvm-profdata of LLVM %s reads%s%s; bareprof reads it, and "
		"converts it",
		file->raw_version, has->words, reads ? ", not that of LLVM " : "", reads ? reads->words : "");
}

static void index_release_cause(struct doctor *doctor, const struct doctor_file *file, unsigned int release)
{
	unsigned int version = (unsigned int)load_uint(file->input.bytes.data + 8, 4, false);

	if (release ? index_version_of_release(release) >= version : !(doctor->said.sentences & SAID_VERSION))
		return;
	doctor_cause(doctor, CAUSE_OTHER_RELEASE, file, convert_command(file, release),
		"has index version %u, which LLVM %u and later read: the tool that refused it is older", version,
		release_of_index_version(version));
}

/* Adds a cause if clang expects other hashes in a profile of this index version. llvm-cov does not. */
static void hash_cause(struct doctor *doctor, const struct doctor_file *file)
{
	unsigned int version = (unsigned int)load_uint(file->input.bytes.data + 8, 4, false);
	enum hashes hashes = hashes_of(&file->model);
	char *path = doctor_quote(file->path);
	char *out = doctor_out(file->path, ".converted.profdata");

	if (hashes == HASHES_V3 && version >= INDEXED_HASH_V4)
		doctor_cause(doctor, CAUSE_HASHES_OTHER, file,
			format("bareprof merge --pgo-hash v4 --for-llvm 22 -o %s %s", out, path),
			"has hashes of clang 11 to 21, but its index version %u makes clang 22 expect other hashes, "
			"and clang then finds no function",
			version);
	else if (hashes == HASHES_V4 && version < INDEXED_HASH_V4)
		doctor_cause(doctor, CAUSE_HASHES_OTHER, file,
			format("bareprof convert --to indexed:%u -o %s %s", INDEXED_HASH_V4, out, path),
			"has hashes of clang 22, but its index version %u makes clang expect the hashes of older "
			"releases, and clang then finds no function",
			version);
	free(path);
	free(out);
}

static void mapping_cause(struct doctor *doctor, const struct doctor_file *file)
{
	unsigned int needs = mapping_release(file->mapping_version);
	bool asked = doctor->said.sentences & (SAID_MAPPING_VERSION | SAID_BAD_MAPPING);

	if (file->mapped && needs && (doctor->release ? doctor->release < needs : asked))
		doctor_cause(doctor, CAUSE_MAPPING_NEWER, file, NULL,
			"has a coverage mapping that llvm-cov of LLVM %u and later reads: the llvm-cov that refused it "
			"is older; 'bareprof report' needs no llvm-cov",
			needs);
}

/* Whether the sentence is about the coverage of @file, which has counters but no mapping. */
static void no_mapping(struct doctor *doctor, const struct doctor_file *file)
{
	bool front_end = false;
	size_t i;

	/* A profile for PGO needs no mapping. */
	for (i = 0; i < doctor->count; i++)
		if (doctor->files[i].readable && doctor->files[i].kind != FILE_ELF &&
			!(doctor->files[i].model.variants & BAREPROF_VARIANT_IR))
			front_end = true;
	if (file->mapped || !file->counters || !(front_end || doctor->said.sentences & (SAID_NO_COVERAGE | SAID_ZERO)))
		return;
	doctor_cause(doctor, CAUSE_NO_MAPPING, file, NULL,
		"has counters, but no coverage mapping: it was compiled without -fcoverage-mapping, or for PGO only, "
		"or a linker script, strip or objcopy dropped __llvm_covmap and __llvm_covfun; there can be no report "
		"of it");
}

/* Adds a cause if a tool was given a program in place of a profile. */
static void not_profile(struct doctor *doctor)
{
	const struct doctor_file *elf = NULL;
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		if (doctor->files[i].kind == FILE_ELF)
			elf = &doctor->files[i];
		else if (doctor->files[i].kind != FILE_SAID)
			return;
	}
	if (elf && doctor->said.sentences & SAID_FORMAT)
		doctor_cause(doctor, CAUSE_NOT_A_PROFILE, elf, NULL,
			"is a program, not a profile: run it, and give the tool the .profraw that it writes or sends");
}

void doctor_releases(struct doctor *doctor)
{
	bool versions = doctor->release || doctor->said.sentences & SAID_VERSION;
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		const struct doctor_file *file = &doctor->files[i];

		if ((file->kind == FILE_RAW || file->kind == FILE_TEXT) && file->sound &&
			doctor->said.sentences & SAID_MAGIC)
			doctor_cause(doctor, CAUSE_NEEDS_MERGE, file, doctor_merge(doctor, file),
				"is a %s profile: llvm-cov and clang read only indexed ones",
				file->kind == FILE_RAW ? "raw" : "text");
		if (file->kind == FILE_RAW && file->sound && versions)
			raw_release_cause(doctor, file, doctor->release);
		if (file->kind == FILE_INDEXED && file->sound && versions)
			index_release_cause(doctor, file, doctor->release);
		if (file->kind == FILE_INDEXED && file->sound &&
			doctor->said.sentences & cause_sentences(CAUSE_HASHES_OTHER))
			hash_cause(doctor, file);
		if (file->kind == FILE_ELF && file->sound) {
			mapping_cause(doctor, file);
			no_mapping(doctor, file);
		}
	}
	not_profile(doctor);
	/* If only the sentence is known, its numbers are the cause. */
	if (doctor->said.has_version && doctor->said.wants_version && !doctor->cause_count) {
		const struct raw_release *has = raw_release(doctor->said.has_version);
		const struct raw_release *wants = raw_release(doctor->said.wants_version);

		doctor_cause(doctor, CAUSE_OTHER_RELEASE, NULL, NULL,
			"the profile has raw version %" PRIu64 " (LLVM %s), but the tool reads only version %" PRIu64
			" (LLVM %s): use the tool of the compiler's release, or 'bareprof merge', which reads both",
			doctor->said.has_version, has ? has->words : "unknown", doctor->said.wants_version,
			wants ? wants->words : "unknown");
	}
}

/* Returns the rank of @cause: causes that explain what was said come first, and then the order of the table counts. */
static unsigned int rank(const struct doctor *doctor, const struct cause *cause)
{
	bool explains = cause_sentences(cause->id) & doctor->said.sentences;

	return (explains ? 0u : CAUSES) + (unsigned int)cause->id;
}

static void sort(struct doctor *doctor)
{
	size_t i;
	size_t k;

	/* There are few causes, and equal ones stay in the order of the files. */
	for (i = 1; i < doctor->cause_count; i++)
		for (k = i; k && rank(doctor, &doctor->causes[k]) < rank(doctor, &doctor->causes[k - 1]); k--) {
			struct cause moved = doctor->causes[k];

			doctor->causes[k] = doctor->causes[k - 1];
			doctor->causes[k - 1] = moved;
		}
}

/* Appends the causes that lead to what was said. */
static void usual_causes(const struct said *said, struct buffer *text)
{
	unsigned int id;

	for (id = 0; id < CAUSES; id++)
		if (cause_sentences((enum cause_id)id) & said->sentences)
			buffer_printf(text, "%s%s", text->size ? "; or " : "", cause_meaning((enum cause_id)id));
}

static void unexplained(struct doctor *doctor)
{
	struct buffer causes = {0};
	size_t i;

	if (!doctor->said.sentences)
		return;
	for (i = 0; i < doctor->cause_count; i++)
		if (cause_sentences(doctor->causes[i].id) & doctor->said.sentences)
			return;
	usual_causes(&doctor->said, &causes);
	if (!doctor->cause_count)
		doctor_cause(doctor, CAUSE_UNEXPLAINED, NULL, NULL,
			"\"%s\": nothing in these files explains it; it usually means that %s; name the program and "
			"the profile that the tool read, too, and with --llvm N the release of the tool",
			doctor->said.words, buffer_string(&causes));
	buffer_free(&causes);
}

void doctor_order(struct doctor *doctor)
{
	unexplained(doctor);
	sort(doctor);
	if (!doctor->cause_count)
		doctor_next(doctor);
}
