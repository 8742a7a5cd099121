/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor.c - fuzzes `bareprof doctor` with a profile, capture or log, and the ELF file of its program. Whatever is saved
 * must be a sound profile.
 */
#include "fuzz.h"
#include "salvage.h"

#include <ctype.h>
#include <stdlib.h>

static void check_causes(const struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->cause_count; i++) {
		const char *at = doctor->causes[i].text;

		must(*at, "a cause has a sentence");
		for (; *at; at++)
			must(!iscntrl((unsigned char)*at), "a sentence has no control characters");
	}
}

static void save(struct doctor *doctor, bool trust)
{
	struct read_options options = {.add = {.weight = 1}};
	struct salvage salvage = {.trust = trust};
	struct error error = {""};
	struct model model;

	model_start(&model);
	if (salvage_file(doctor, &doctor->files[0], &salvage, &error) == STATUS_OK) {
		struct bytes saved = {salvage.profile.data, salvage.profile.size};

		must(salvage.kept && salvage.kept <= salvage.of, "some functions of the program were saved");
		must(profile_read(&model, saved, &options, &error) == STATUS_OK, "what was saved can be read");
		must(model.count <= salvage.kept, "nothing else was saved");
	} else {
		must(error.text[0], "a refusal has a reason");
	}
	model_free(&model);
	salvage_free(&salvage);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes content[2];
	struct doctor doctor = {.count = 2};
	struct error error;
	size_t i;

	if (!take_two((struct bytes){data, size}, &content[0], &content[1]))
		return 0;
	programs_start(&doctor.programs);
	doctor.files = allocate(doctor.count, sizeof(*doctor.files));
	for (i = 0; i < doctor.count; i++)
		must(doctor_open(&doctor, &doctor.files[i], in_memory(content[i]), &error) == STATUS_OK,
			"a file in memory can be read");
	/* Only the ELF file is opened again by its path. */
	doctor.files[0].path = "profile";
	doctor_examine(&doctor);
	check_causes(&doctor);
	save(&doctor, false);
	save(&doctor, true);
	doctor_free(&doctor);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes part[2];

	if (take_two((struct bytes){data, size}, &part[0], &part[1]) && part[1].size && dice_throw(&dice, 4) == 0) {
		change_elf(data + (part[1].data - data), part[1].size, &dice);
		return size;
	}
	return change_two(data, size, most, &dice);
}
