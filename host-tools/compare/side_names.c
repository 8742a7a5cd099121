/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * side_names.c - names of static functions in IR profiles. Up to clang 16 they have the form file:name, and from clang 17
 * on file;name. If clang 17 or later does not find a function, it looks for the older name.
 */
#include "md5.h"
#include "side.h"

#include <string.h>

static bool has_name(const struct side *side, uint64_t reference)
{
	size_t low = 0;
	size_t high = side->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (side->functions[middle].reference == reference)
			return true;
		if (side->functions[middle].reference < reference)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/*
 * Returns the hash of the name of @function as clang 17 writes it. If clang 17 writes the same name, returns the name
 * hash of @function.
 */
static uint64_t new_reference(const struct side_function *function, struct buffer *scratch)
{
	const uint8_t *colon = function->name.size ? memrchr(function->name.data, ':', function->name.size) : NULL;

	if (!colon)
		return function->reference;
	scratch->size = 0;
	buffer_add(scratch, function->name.data, function->name.size);
	scratch->data[colon - function->name.data] = ';';
	return md5_low((struct bytes){scratch->data, scratch->size});
}

void sides_follow_names(struct side *a, const struct side *b)
{
	struct buffer scratch = {0};
	bool renamed = false;
	size_t i;

	if (!(a->variants & BAREPROF_VARIANT_IR))
		return;
	for (i = 0; i < a->count; i++) {
		struct side_function *function = &a->functions[i];
		uint64_t reference;

		if (has_name(b, function->reference))
			continue;
		reference = new_reference(function, &scratch);
		if (!has_name(b, reference))
			continue;
		function->reference = reference;
		renamed = true;
	}
	if (renamed)
		side_sort(a);
	buffer_free(&scratch);
}
