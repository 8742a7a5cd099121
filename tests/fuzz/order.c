/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * order.c - fuzzes two profiles of any format in one input. Their sum must not depend on which profile is read first.
 * It must also be the same if each profile is read into a model of its own, and the two models are joined.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes part[2];
	struct read_options options = {.add = {.weight = 1}};
	struct read_options thrice = {.add = {.weight = 3}};
	struct buffer text[3];
	struct model model[4];
	struct error error;
	unsigned int i;
	bool good;

	if (!take_two((struct bytes){data, size}, &part[0], &part[1]))
		return 0;
	for (i = 0; i < 4; i++)
		model_start(&model[i]);
	good = profile_read(&model[0], part[0], &options, &error) == STATUS_OK &&
	       profile_read(&model[0], part[1], &thrice, &error) == STATUS_OK;
	if (good) {
		must(profile_read(&model[1], part[1], &thrice, &error) == STATUS_OK &&
				profile_read(&model[1], part[0], &options, &error) == STATUS_OK,
			"what mixes mixes in any order");
		must(profile_read(&model[2], part[1], &thrice, &error) == STATUS_OK &&
				profile_read(&model[3], part[0], &options, &error) == STATUS_OK &&
				model_join(&model[2], &model[3], &error) == STATUS_OK,
			"what mixes can be joined");
		for (i = 0; i < 3; i++) {
			model_sort(&model[i]);
			text[i] = text_of(&model[i]);
		}
		must(same(&text[0], &text[1]), "the order of inputs does not matter");
		must(same(&text[0], &text[2]), "joining is adding");
		for (i = 0; i < 3; i++)
			buffer_free(&text[i]);
	}
	for (i = 0; i < 4; i++)
		model_free(&model[i]);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};

	return change_two(data, size, most, &dice);
}
