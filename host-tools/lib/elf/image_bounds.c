/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_bounds.c - finds the symbols of an image that describe its profile: the bounds of sections,
 * and the variable that contains the version word.
 */
#include "image.h"

#include <stdlib.h>

static const char *const affixes[][2][2] = {
	[BOUNDS_OURS] = {{"__start_", ""}, {"__stop_", ""}},
	[BOUNDS_LINUX] = {{"", "_start"}, {"", "_end"}},
};

const struct image_symbol *image_bound(const struct image *image, enum bounds bounds, const char *name, bool stop)
{
	char *bound = format("%s%s%s", affixes[bounds][stop][0], name, affixes[bounds][stop][1]);
	const struct image_symbol *symbol = image_symbol(image, bound);

	free(bound);
	return symbol;
}

/*
 * Reads the variable __llvm_profile_raw_version. The compiler defines it only for some kinds of
 * instrumentation. The runtime has a weak definition of it with the value 0.
 */
uint64_t image_version_word(const struct image *image)
{
	const struct image_symbol *symbol = image_symbol(image, "__llvm_profile_raw_version");
	const struct image_section *section = symbol ? image_where(image, symbol->value, 8) : NULL;
	struct bytes bytes;

	if (!section || !bytes_slice(image_content(image, section), symbol->value - section->address, 8, &bytes))
		return 0;
	return load_uint(bytes.data, 8, image->big);
}
