/* SPDX-License-Identifier: BSD-2-Clause */
/* lacking.c - compares the functions of a profile with the records of the program that wrote it. */
#include "doctor.h"

#include <inttypes.h>

/* Returns whether no function of the profile has only counts of 0. A sparse profile leaves such functions out. */
static bool is_sparse(const struct doctor_file *profile)
{
	size_t i;
	uint32_t k;

	if (profile->kind != FILE_INDEXED && profile->kind != FILE_TEXT)
		return false;
	for (i = 0; i < profile->model.count; i++) {
		const struct function *function = &profile->model.functions[i];

		for (k = 0; k < function->counter_count && !function->counters[k];)
			k++;
		if (k == function->counter_count)
			return false;
	}
	return true;
}

/* Tells how many functions of the program have a record in it, but not in the profile. */
static void tell_lacking(
	struct doctor *doctor, struct doctor_file *profile, const struct doctor_file *elf, size_t lacking, size_t count)
{
	bool asked = doctor->said.sentences & cause_sentences(CAUSE_FUNCTIONS_LACKING);

	if (is_sparse(profile) && !asked)
		buffer_printf(
			&profile->what, ", without %zu functions of the program, which count as not run", lacking);
	else
		doctor_cause(doctor, CAUSE_FUNCTIONS_LACKING, profile, NULL,
			"lacks %zu of the %zu functions of %.1000s: --partial, --salvage, --function or --sparse left "
			"them out, and a report shows them as not run; dump or merge again without such an option",
			lacking, count, elf->path);
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
