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
	uint64_t name; /* name hash */
	uint64_t digest; /* hash of the files, the regions and the structural hash */
	size_t mapping; /* index of the program's mapping */
	size_t order; /* index of the function among all functions of all programs */
};

/*
 * Returns a hash of a function. The names of its files are hashed in place of their indexes, because a file can have
 * different indexes in two programs.
 */
static uint64_t digest_of(
	const struct mapping *mapping, const struct mapping_record *record, const struct file_names *files)
{
	const struct mapping_list *list = &mapping->lists[record->list];
	struct cursor cursor = cursor_of(record->regions);
	uint64_t count = take_uleb(&cursor);
	struct buffer text = {0};
	uint64_t digest;

	buffer_add(&text, &record->hash, sizeof(record->hash));
	for (; count && !cursor.failed; count--) {
		uint64_t index = take_uleb(&cursor);

		if (!cursor.failed && index < list->count) {
			struct bytes name = files->list[mapping->list_files[list->first + index]];

			buffer_add_uleb(&text, name.size);
			buffer_add(&text, name.data, name.size);
		}
	}
	buffer_add(&text, cursor.at, (size_t)(cursor.end - cursor.at));
	digest = md5_low((struct bytes){text.data, text.size});
	buffer_free(&text);
	return digest;
}

/* Compares functions by name, then by program, then by their order in the program. */
static int compare_entries(const void *left, const void *right)
{
	const struct variant *a = left;
	const struct variant *b = right;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return compare_uint(a->order, b->order);
}

/* Returns the functions of all programs, sorted by compare_entries(), and sets *@total to their number. */
static struct variant *list_all(
	const struct mapping *mappings, size_t count, const struct file_names *files, size_t *total)
{
	struct variant *list = NULL;
	size_t room = 0;
	size_t n = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		struct mapping_record record;
		size_t at = 0;

		while (mapping_take(&mappings[i], &at, &record)) {
			/* Skip a mapping without a hash. Clang writes it for a function that the object does not use. */
			if (!record.hash)
				continue;
			list = array_grow(list, n, &room, sizeof(*list));
			list[n] = (struct variant){record.name, digest_of(&mappings[i], &record, files), i, n};
			n++;
		}
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_entries);
	*total = n;
	return list;
}

static void add_rename(struct mapping *mapping, uint64_t reference, size_t variant)
{
	const struct name *name = names_find(&mapping->names, reference);
	char *text;

	/* The report does not have a function without a name, so the function needs no new name. */
	if (!name)
		return;
	mapping->renames =
		array_grow(mapping->renames, mapping->rename_count, &mapping->rename_room, sizeof(*mapping->renames));
	text = format("%.*s (%zu)", (int)name->text.size, (const char *)name->text.data, variant);
	mapping->renames[mapping->rename_count++] =
		(struct mapping_rename){reference, md5_low((struct bytes){(const uint8_t *)text, strlen(text)}), text};
}

/*
 * @list has @count functions with one name. If these functions are several variants, renames all variants except the
 * first, and returns true. In each program, only the first function with the name is used.
 */
static bool name_variants(struct mapping *mappings, const struct variant *list, size_t count)
{
	uint64_t *digests = allocate(count, sizeof(*digests));
	size_t known = 0;
	bool several;
	size_t i;

	for (i = 0; i < count; i++) {
		size_t variant = 0;

		if (i && list[i].mapping == list[i - 1].mapping)
			continue;
		while (variant < known && digests[variant] != list[i].digest)
			variant++;
		if (variant == known)
			digests[known++] = list[i].digest;
		if (variant)
			add_rename(&mappings[list[i].mapping], list[i].name, variant + 1);
	}
	several = known > 1;
	free(digests);
	return several;
}

size_t variants_find(struct mapping *mappings, size_t count, const struct file_names *files)
{
	size_t total;
	struct variant *list = list_all(mappings, count, files, &total);
	size_t several = 0;
	size_t i;
	size_t n;

	/*
	 * The list is sorted by name hash. So the renames of each program are sorted in the same way, as
	 * mapping_renamed() needs it.
	 */
	for (i = 0; i < total; i += n) {
		for (n = 1; i + n < total && list[i + n].name == list[i].name; n++)
			;
		several += name_variants(mappings, &list[i], n);
	}
	free(list);
	return several;
}
