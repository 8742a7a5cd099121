/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * belonging.c - finds out which program each profile comes from: by the build id, or else by the names and structural hashes
 * of the functions.
 */
#include "counts_warning.h"
#include "doctor.h"
#include "versions.h"

#include <inttypes.h>
#include <stdlib.h>

/* clang 22 clears these bits of a structural hash. */
#define HASH_UPPER (0xfull << 60)

/* Two programs can have a few functions in common, such as main. Two builds of one program share at least 1/4 of them. */
#define COMMON_PART 4

/* How the functions of a profile differ from those of a program. */
struct likeness {
	bool same_id;
	bool other_id; /* both have build ids, and none is equal */
	size_t same;
	size_t upper; /* the hashes differ only in their upper 4 bits */
	size_t changed; /* same name, another hash */
	size_t absent;
};

static size_t first_of(const struct doctor_file *elf, uint64_t name)
{
	size_t low = 0;
	size_t high = elf->function_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (elf->functions[middle].name < name)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void compare_function(const struct doctor_file *elf, const struct function *function, struct likeness *like)
{
	size_t i = first_of(elf, function->reference);
	bool named = false;
	bool upper = false;

	for (; i < elf->function_count && elf->functions[i].name == function->reference; i++) {
		named = true;
		if (elf->functions[i].hash == function->hash) {
			like->same++;
			return;
		}
		upper = upper || !((elf->functions[i].hash ^ function->hash) & ~HASH_UPPER);
	}
	like->upper += upper;
	like->changed += named && !upper;
	like->absent += !named;
}

/* Returns whether the profile has the build id of the program. A merged profile can have several. */
static bool has_id(const struct doctor_file *profile, struct bytes id, bool *any)
{
	struct bytes own = {profile->id.data, profile->id.size};
	struct cursor cursor = cursor_of((struct bytes){profile->model.build_ids.data, profile->model.build_ids.size});
	bool found = own.size && bytes_equal(own, id);

	*any = own.size;
	while (!found && cursor.at < cursor.end) {
		uint64_t size = take_fixed(&cursor, 8);
		struct bytes one = take_bytes(&cursor, size);

		take_bytes(&cursor, BAREPROF_PAD8(size));
		if (cursor.failed)
			break;
		*any = true;
		found = bytes_equal(one, id);
	}
	return found;
}

static struct likeness compare(const struct doctor_file *profile, const struct doctor_file *elf)
{
	struct likeness like = {.same = 0};
	bool any;
	size_t i;

	if (elf->id.size) {
		like.same_id = has_id(profile, (struct bytes){elf->id.data, elf->id.size}, &any);
		like.other_id = any && !like.same_id;
	}
	for (i = 0; i < profile->model.count; i++)
		compare_function(elf, &profile->model.functions[i], &like);
	return like;
}

static bool belongs(const struct likeness *like, const struct doctor_file *profile)
{
	return like->same_id || (!like->other_id && profile->model.count && like->same == profile->model.count);
}

/* Adds the cause why @profile does not belong to @elf, which is the program that is most like it. */
static void tell_other(
	struct doctor *doctor, const struct doctor_file *profile, const struct doctor_file *elf, struct likeness like)
{
	size_t count = profile->model.count;

	if (!elf->counters && !elf->mapped) {
		doctor_cause(doctor, CAUSE_NOT_INSTRUMENTED, elf, NULL,
			"has no counters, so no profile comes from it: none of it was compiled with "
			"-fprofile-instr-generate -fcoverage-mapping, or this is another file than the one that ran");
		return;
	}
	if (!elf->function_count && !like.other_id)
		return;
	if (elf->mapped && profile->model.variants & BAREPROF_VARIANT_IR)
		doctor_cause(doctor, CAUSE_OTHER_BUILD, profile, NULL,
			"is a PGO profile (-fprofile-generate), but %s was compiled for coverage "
			"(-fprofile-instr-generate): name the ELF file that ran; there is no coverage report of a PGO "
			"profile",
			elf->path);
	else if (!like.other_id && like.upper && like.same + like.upper == count)
		doctor_cause(doctor, CAUSE_HASHES_OTHER, profile, NULL,
			"has hashes of clang %s for the program %s: clang 22 clears the upper 4 bits of a hash, which "
			"cannot be undone; merge again without --pgo-hash, or compile with the same release",
			elf->clang >= 22 ? "before 22" : "22", elf->path);
	else if ((like.same + like.changed + like.upper) * COMMON_PART < count && elf->function_count)
		doctor_cause(doctor, CAUSE_OTHER_PROGRAM, profile, NULL,
			"comes from another program: %zu of its %zu functions are not in %s; name the program that "
			"wrote it",
			like.absent, count, elf->path);
	else if (like.other_id && like.same == count)
		doctor_cause(doctor, CAUSE_OTHER_BUILD, profile, NULL,
			"comes from another build than %s: the build ids differ, although the functions are the same; "
			"run "
			"this program again, or name the ELF file that ran",
			elf->path);
	else if (like.other_id)
		doctor_cause(doctor, CAUSE_OTHER_BUILD, profile, NULL,
			"comes from another build than %s: the build ids differ, and %zu of %zu functions differ; run "
			"this program again, or name the ELF file that ran",
			elf->path, count - like.same, count);
	else
		doctor_cause(doctor, CAUSE_OTHER_BUILD, profile, NULL,
			"comes from another build than %s, or from several programs: %zu of %zu functions have another "
			"control flow, and %zu are not in it; run this program again, or name the other programs, too",
			elf->path, like.changed + like.upper, count, like.absent);
}

static void find_program(struct doctor *doctor, struct doctor_file *profile)
{
	const struct doctor_file *nearest = NULL;
	struct likeness best = {.same = 0};
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		const struct doctor_file *elf = &doctor->files[i];
		struct likeness like;

		if (elf->kind != FILE_ELF || !elf->sound)
			continue;
		like = compare(profile, elf);
		if (belongs(&like, profile)) {
			profile->fits = elf->path;
			doctor_lacking(doctor, profile, elf);
			/* clang 22 or a conversion may have cleared the upper bits of all hashes. */
			if (!like.upper)
				doctor_changed(doctor, profile, elf);
			return;
		}
		if (!nearest || like.same > best.same || (like.same == best.same && like.changed > best.changed)) {
			nearest = elf;
			best = like;
		}
	}
	if (nearest)
		tell_other(doctor, profile, nearest, best);
}

/* Adds a cause if two profiles cannot be merged, or come from two builds of one program. */
static void compare_profiles(struct doctor *doctor, struct doctor_file *a, struct doctor_file *b)
{
	size_t changed = 0;
	size_t i;

	if (!kinds_mix(a->model.variants, b->model.variants)) {
		doctor_cause(doctor, CAUSE_KINDS_MIXED, b, NULL,
			"has %s, but %s has %s: profiles of two kinds cannot be merged; use one kind in all builds",
			kind_name(b->model.variants), a->path, kind_name(a->model.variants));
		return;
	}
	if (a->fits && b->fits)
		return;
	for (i = 0; i < b->model.count; i++) {
		const struct function *function = &b->model.functions[i];

		changed += !model_find(&a->model, function->reference, function->hash) &&
		           model_name(&a->model, function->reference).size;
	}
	if (changed)
		doctor_cause(doctor, CAUSE_BUILDS_MIXED, b, NULL,
			"comes from another build than %s: %zu functions have another control flow in it; merge only "
			"profiles of one build",
			a->path, changed);
}

/* Adds a cause if counts cannot be right in the program: code ran more often than the code around it. */
static void find_torn(struct doctor *doctor, const struct doctor_file *profile)
{
	struct bytes bytes = profile->kind == FILE_DUMPS ? (struct bytes){profile->rescued.data, profile->rescued.size}
	                                                 : profile->input.bytes;
	struct buffer warning = {0};

	counts_warning(profile->fits, bytes, &warning);
	if (warning.size)
		doctor_cause(doctor, CAUSE_COUNTS_TORN, profile, NULL, "%s", buffer_string(&warning));
	buffer_free(&warning);
}

void doctor_compare(struct doctor *doctor)
{
	struct doctor_file *first = NULL;
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		struct doctor_file *file = &doctor->files[i];

		if (!file->readable || !file->model.count)
			continue;
		find_program(doctor, file);
		if (file->fits)
			find_torn(doctor, file);
		if (first)
			compare_profiles(doctor, first, file);
		else
			first = file;
	}
}
