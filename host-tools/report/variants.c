/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * variants.c - distinguishes functions with the same name by their mappings, that is, by files, regions and structural
 * hash.
 */
#include "variants.h"
#include "md5.h"

#include <stdlib.h>
#include <string.h>

struct variant {
	struct covmap_function function;
	size_t covmap; /* index of the program's mapping */
	size_t order; /* index of the function among all functions of all programs */
};

/* Compares functions by name, then by program, then by their order in the program. */
static int compare_entries(const void *left, const void *right)
{
	const struct variant *a = left;
	const struct variant *b = right;

	if (a->function.name != b->function.name)
		return a->function.name < b->function.name ? -1 : 1;
	return compare_uint(a->order, b->order);
}

/* Returns the functions of all programs, sorted by compare_entries(), and sets *@total to their number. */
static struct variant *list_all(const struct covmap *covmaps, size_t count, size_t *total)
{
	struct variant *list = NULL;
	size_t room = 0;
	size_t n = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		struct variant entry = {.covmap = i};
		size_t at = 0;

		while (covmap_next(&covmaps[i], &at, &entry.function)) {
			/*
			 * Skip a mapping without a hash. Clang writes it for a function that the object does not use.
			 */
			if (!entry.function.digest)
				continue;
			entry.order = n;
			list = array_grow(list, n, &room, sizeof(*list));
			list[n++] = entry;
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_entries);
	*total = n;
	return list;
}

static void add_rename(struct covmap *covmap, uint64_t reference, size_t variant)
{
	const struct name *name = names_find(&covmap->names, reference);
	char *text;

	/* llvm-cov does not show a function without a name, so the function needs no new name. */
	if (!name)
		return;
	covmap->renames =
		array_grow(covmap->renames, covmap->rename_count, &covmap->rename_room, sizeof(*covmap->renames));
	text = format("%.*s (%zu)", (int)name->text.size, (const char *)name->text.data, variant);
	covmap->renames[covmap->rename_count++] =
		(struct covmap_rename){reference, md5_low((struct bytes){(const uint8_t *)text, strlen(text)}), text};
}

/*
 * @list has @count functions with one name. If these functions are several variants, renames all variants except the
 * first, and returns true. In each program, only the first function with the name is used.
 */
static bool name_variants(struct covmap *covmaps, const struct variant *list, size_t count)
{
	uint64_t *digests = allocate(count, sizeof(*digests));
	size_t known = 0;
	bool several;
	size_t i;

	for (i = 0; i < count; i++) {
		size_t variant = 0;

		if (i && list[i].covmap == list[i - 1].covmap)
			continue;
		while (variant < known && digests[variant] != list[i].function.digest)
			variant++;
		if (variant == known)
			digests[known++] = list[i].function.digest;
		if (variant)
			add_rename(&covmaps[list[i].covmap], list[i].function.name, variant + 1);
	}
	several = known > 1;
	free(digests);
	return several;
}

size_t variants_find(struct covmap *covmaps, size_t count)
{
	size_t total;
	struct variant *list = list_all(covmaps, count, &total);
	size_t several = 0;
	size_t i;
	size_t n;

	/*
	 * The list is sorted by name hash. So the renames of each program are sorted in the same way, as
	 * covmap_renamed() needs it.
	 */
	for (i = 0; i < total; i += n) {
		for (n = 1; i + n < total && list[i + n].function.name == list[i].function.name; n++)
			;
		several += name_variants(covmaps, &list[i], n);
	}
	free(list);
	return several;
}

void variants_rename(const struct covmap *covmap, struct bytes text, struct buffer *output)
{
	static const char mark[] = "# Func Hash:";

	while (text.size) {
		struct bytes line = bytes_line(&text);
		/* If the next line begins with "# Func Hash:", this line is the name of a function. */
		bool is_name = text.size >= strlen(mark) && !memcmp(text.data, mark, strlen(mark));
		const struct covmap_rename *rename = is_name ? covmap_renamed(covmap, md5_low(line)) : NULL;

		if (rename)
			buffer_add_text(output, rename->name);
		else
			buffer_add(output, line.data, line.size);
		buffer_add(output, "\n", 1);
	}
}
