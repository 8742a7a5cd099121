/* SPDX-License-Identifier: BSD-2-Clause */
/* lacking.c - compares the functions of a profile with the records of the program that wrote it. */
#include "doctor.h"

#include <inttypes.h>

/*
 * Returns whether the profile may be sparse: then it leaves out functions that did not run. It has all functions of a name
 * if one of them ran. The model is sorted by names.
 */
static bool may_be_sparse(const struct doctor_file *profile)
{
	const struct function *functions = profile->model.functions;
	size_t count = profile->model.count;
	size_t i = 0;

	if (profile->kind != FILE_INDEXED && profile->kind != FILE_TEXT)
		return false;
	while (i < count) {
		uint64_t name = functions[i].reference;
		bool ran = false;

		for (; i < count && functions[i].reference == name; i++)
			ran = ran || function_ran(&functions[i]);
		if (!ran)
			return false;
	}
	return true;
}

/* Tells how many functions of the program have a record in it, but not in the profile. */
static void tell_lacking(
	struct doctor *doctor, struct doctor_file *profile, const struct doctor_file *elf, size_t lacking, size_t count)
{
	bool asked = doctor->said.sentences & cause_sentences(CAUSE_FUNCTIONS_LACKING);

	if (may_be_sparse(profile) && !asked)
		buffer_printf(
			&profile->what, ", without %zu functions of the program, which count as not run", lacking);
	else
		doctor_cause(doctor, CAUSE_FUNCTIONS_LACKING, profile, NULL,
			"lacks %zu of the %zu functions of %.1000s: --partial, --salvage, --function or --sparse left "
			"them out, and a report shows them as not run; dump or merge again without such an option",
			lacking, count, elf->path);
}

/* Returns whether the profile has several build ids, so that functions of other builds are in it. */
static bool is_merged(const struct doctor_file *profile)
{
	const struct buffer *ids = &profile->model.build_ids;
	uint64_t size = ids->size >= 8 ? load_uint(ids->data, 8, false) : 0;

	return ids->size > 8 && ids->size - 8 > size + BAREPROF_PAD8(size);
}

void doctor_changed(struct doctor *doctor, struct doctor_file *profile, const struct doctor_file *elf)
{
	struct bytes name = {NULL, 0};
	size_t changed = 0;
	size_t i;

	if (!elf->recorded || is_merged(profile))
		return;
	for (i = 0; i < elf->function_count;) {
		uint64_t hash = elf->functions[i].name;
		struct bytes own = model_name(&profile->model, hash);
		bool found = !own.size;

		/* Weak duplicates have one name. A sparse profile may lack one of them. */
		for (; i < elf->function_count && elf->functions[i].name == hash; i++)
			found = found || model_find(&profile->model, hash, elf->functions[i].hash);
		if (!found && !changed++)
			name = own;
	}
	if (changed)
		doctor_cause(doctor, CAUSE_OTHER_BUILD, profile, NULL,
			"has the build id of %.1000s, but another control flow in %zu function%s, such as %.*s: bytes "
			"changed in place, or several builds have this build id (--build-id=0x...); copy the file "
			"again, or run this program again",
			elf->path, changed, changed == 1 ? "" : "s", (int)(name.size < 200 ? name.size : 200),
			(const char *)name.data);
}

void doctor_lacking(struct doctor *doctor, struct doctor_file *profile, const struct doctor_file *elf)
{
	size_t lacking = 0;
	size_t count = 0;
	size_t i;

	if (!elf->recorded)
		return;
	for (i = 0; i < elf->function_count; i++) {
		uint64_t name = elf->functions[i].name;

		/* Weak duplicates have one name. */
		if (i && name == elf->functions[i - 1].name)
			continue;
		count++;
		lacking += !model_name(&profile->model, name).size;
	}
	if (lacking)
		tell_lacking(doctor, profile, elf, lacking, count);
}
