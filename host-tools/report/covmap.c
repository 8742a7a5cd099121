/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * covmap.c - reads a coverage mapping, and replaces names of source files and functions in it. __llvm_covmap has a list
 * of file names for each object that was linked. A list consists of four words and the names, and zlib may have packed
 * the names. Zeros after the names pad the list to a multiple of 8 bytes. __llvm_covfun has the mappings of the
 * functions. Each mapping has a reference to the list of its object.
 */
#include "covmap.h"
#include "inflate.h"
#include "md5.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Versions of the mapping. Each number is the number in the file, which is 1 less than in LLVM's sources. LLVM 11
 * writes 3, and LLVM 18 to 22 write 6.
 */
#define VERSION_OLDEST 3u
#define VERSION_FOLDER 5u /* from this version on, the first name is the folder in which the compiler ran */
#define VERSION_NEWEST 6u

#define HEADER_SIZE 16u

/*
 * The mapping of a function consists of its name hash (8 bytes), the size of its regions (4 bytes), its structural hash
 * (8 bytes), the reference to its list of file names (8 bytes), and its regions.
 */
#define FUNCTION_SIZE    28u
#define FUNCTION_REGIONS 8u
#define FUNCTION_HASH    12u
#define FUNCTION_LIST    20u

/*
 * The limit for unpacked names: EXPANSION_BASE bytes plus EXPANSION_MAX times the size of __llvm_covmap. Without this
 * limit, a hostile section of 300 bytes could use up all memory, because each name gets a copy of its folder's name.
 */
#define EXPANSION_MAX  256u
#define EXPANSION_BASE (1u << 20)

static struct bytes bytes_of(const struct buffer *buffer)
{
	return (struct bytes){buffer->data, buffer->size};
}

/*
 * Sets @full to the name that llvm-cov would show. If @name is absolute, this is @name. Otherwise it is the
 * path of @name in the folder @folder.
 */
static void full_name(struct buffer *full, struct bytes folder, struct bytes name)
{
	full->size = 0;
	if (name.size && *name.data == '/') {
		buffer_add(full, name.data, name.size);
		return;
	}
	if (folder.size && *folder.data == '/')
		buffer_add(full, "/", 1);
	path_append(full, folder);
	path_append(full, name);
}

static void add_name(struct covmap *covmap, struct bytes folder, struct bytes name)
{
	struct covmap_file file = {covmap->text.size, 0};
	struct buffer full = {0};

	full_name(&full, folder, name);
	path_map_apply(covmap->maps, covmap->map_count, bytes_of(&full), &covmap->text);
	file.size = covmap->text.size - file.offset;
	covmap->files = array_grow(covmap->files, covmap->file_count, &covmap->file_room, sizeof(*covmap->files));
	covmap->files[covmap->file_count++] = file;
	buffer_free(&full);
}

static uint64_t size_limit(const struct covmap *covmap)
{
	return (uint64_t)covmap->part[COVMAP_FILES].size * EXPANSION_MAX + EXPANSION_BASE;
}

/* Reads @count names into covmap->files. */
static bool read_names(struct covmap *covmap, struct bytes bytes, uint64_t count, bool has_folder)
{
	struct cursor cursor = cursor_of(bytes);
	struct bytes folder = {NULL, 0};
	uint64_t i;

	for (i = 0; i < count && !cursor.failed; i++) {
		struct bytes name = take_bytes(&cursor, take_uleb(&cursor));

		if (covmap->text.size + covmap->file_count * sizeof(*covmap->files) > size_limit(covmap))
			return false;
		if (i == 0 && has_folder) {
			folder = name;
			/*
			 * The names in the new list already include their folders, so the folder of the list is empty.
			 */
			name.size = 0;
		}
		add_name(covmap, i || !has_folder ? folder : name, name);
	}
	return !cursor.failed && cursor.at == cursor.end;
}

/* Unpacks and reads @packed, a list of file names as it is in the program. */
static bool read_list(struct covmap *covmap, struct bytes packed, bool has_folder)
{
	struct cursor cursor = cursor_of(packed);
	uint64_t count = take_uleb(&cursor);
	uint64_t size = take_uleb(&cursor);
	uint64_t packed_size = take_uleb(&cursor);
	struct bytes rest = take_bytes(&cursor, packed_size ? packed_size : size);
	struct buffer names = {0};
	bool good = !cursor.failed && size <= size_limit(covmap);

	if (good && packed_size) {
		good = inflate_all(rest, (size_t)size, &names);
		rest = bytes_of(&names);
	}
	good = good && read_names(covmap, rest, count, has_folder);
	buffer_free(&names);
	return good;
}

/* Appends @list with the renamed files to covmap->new_files. */
static void write_list(struct covmap *covmap, struct covmap_list *list, uint32_t version)
{
	static const uint8_t zeros[8];
	struct buffer names = {0};
	struct buffer text = {0};
	uint8_t header[HEADER_SIZE] = {0};
	size_t i;

	for (i = list->first; i < list->first + list->count; i++) {
		buffer_add_uleb(&names, covmap->files[i].size);
		buffer_add(&names, covmap->text.data + covmap->files[i].offset, covmap->files[i].size);
	}
	buffer_add_uleb(&text, list->count);
	buffer_add_uleb(&text, names.size);
	buffer_add_uleb(&text, 0);
	buffer_add(&text, names.data, names.size);
	list->is = md5_low(bytes_of(&text));
	store_uint(header + 4, text.size, 4, covmap->big);
	store_uint(header + 12, version, 4, covmap->big);
	buffer_add(&covmap->new_files, header, sizeof(header));
	buffer_add(&covmap->new_files, text.data, text.size);
	buffer_add(&covmap->new_files, zeros, -covmap->new_files.size % sizeof(zeros));
	buffer_free(&names);
	buffer_free(&text);
}

static int compare_lists(const void *left, const void *right)
{
	return compare_uint(((const struct covmap_list *)left)->was, ((const struct covmap_list *)right)->was);
}

enum status covmap_read_files(struct covmap *covmap, struct error *error)
{
	struct bytes bytes = bytes_of(&covmap->part[COVMAP_FILES]);
	size_t at = 0;

	while (at < bytes.size) {
		struct covmap_list list = {.first = covmap->file_count};
		struct bytes header;
		struct bytes names;
		uint32_t word[4];
		unsigned int i;

		if (!bytes_slice(bytes, at, HEADER_SIZE, &header))
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping that is cut short at offset %zu", at);
		for (i = 0; i < 4; i++)
			word[i] = (uint32_t)load_uint(header.data + 4 * i, 4, covmap->big);
		if (word[3] < VERSION_OLDEST || word[3] > VERSION_NEWEST)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping of version %" PRIu32
				", but this bareprof reads only the versions of LLVM 11 to 22: leave out --path-map, "
				"and report this program without other programs",
				word[3] + 1);
		if (word[0] || word[2] || !bytes_slice(bytes, at + HEADER_SIZE, word[1], &names) ||
			!read_list(covmap, names, word[3] >= VERSION_FOLDER))
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping whose file names at offset %zu are damaged", at);
		list.has_folder = word[3] >= VERSION_FOLDER;
		list.was = md5_low(names);
		list.count = covmap->file_count - list.first;
		write_list(covmap, &list, word[3]);
		covmap->lists = array_grow(covmap->lists, covmap->count, &covmap->room, sizeof(*covmap->lists));
		covmap->lists[covmap->count++] = list;
		at = (at + HEADER_SIZE + word[1] + 7) & ~(size_t)7;
	}
	if (covmap->count)
		qsort(covmap->lists, covmap->count, sizeof(*covmap->lists), compare_lists);
	return STATUS_OK;
}

/*
 * Reads the function at offset *@at, and moves *@at to the next function. Returns false at the end of the section, or
 * if the function is damaged.
 */
static bool take_function(const struct covmap *covmap, size_t *at, struct bytes *function, struct bytes *regions,
	struct covmap_list *list)
{
	struct bytes bytes = bytes_of(&covmap->part[COVMAP_FUNCTIONS]);
	const struct covmap_list *found;
	struct covmap_list key;

	if (!bytes_slice(bytes, *at, FUNCTION_SIZE, function) ||
		!bytes_slice(bytes, *at + FUNCTION_SIZE, load_uint(function->data + FUNCTION_REGIONS, 4, covmap->big),
			regions))
		return false;
	key.was = load_uint(function->data + FUNCTION_LIST, 8, covmap->big);
	found = covmap->count ? bsearch(&key, covmap->lists, covmap->count, sizeof(key), compare_lists) : NULL;
	if (!found)
		return false;
	*list = *found;
	*at = (*at + FUNCTION_SIZE + regions->size + 7) & ~(size_t)7;
	return true;
}

/*
 * Appends the names of a function's files to @text. These names are a part of the text from which the digest of the
 * function is computed. The mapping has indexes of files in place of names, but the same file can have different
 * indexes in two lists.
 */
static bool add_files(const struct covmap *covmap, struct covmap_list list, struct cursor *regions, struct buffer *text)
{
	uint64_t count = take_uleb(regions);

	for (; count && !regions->failed; count--) {
		uint64_t number = take_uleb(regions);
		const struct covmap_file *file;

		if (regions->failed || number >= list.count)
			return false;
		file = &covmap->files[list.first + number];
		buffer_add_uleb(text, file->size);
		buffer_add(text, covmap->text.data + file->offset, file->size);
	}
	return !regions->failed;
}

bool covmap_next(const struct covmap *covmap, size_t *at, struct covmap_function *function)
{
	struct covmap_list list;
	struct buffer text = {0};
	struct cursor cursor;
	struct bytes fixed;
	struct bytes regions;
	size_t next = *at;
	bool good = take_function(covmap, &next, &fixed, &regions, &list);

	if (!good)
		return false;
	cursor = cursor_of(regions);
	buffer_add(&text, fixed.data + FUNCTION_HASH, 8);
	good = add_files(covmap, list, &cursor, &text);
	if (good) {
		buffer_add(&text, cursor.at, (size_t)(cursor.end - cursor.at));
		function->name = load_uint(fixed.data, 8, covmap->big);
		function->digest = load_uint(fixed.data + FUNCTION_HASH, 8, covmap->big) ? md5_low(bytes_of(&text)) : 0;
		*at = next;
	}
	buffer_free(&text);
	return good;
}

bool covmap_next_regions(const struct covmap *covmap, size_t *at, struct covmap_regions *regions)
{
	struct covmap_list list;

	if (!take_function(covmap, at, &regions->fixed, &regions->bytes, &list))
		return false;
	regions->name = load_uint(regions->fixed.data, 8, covmap->big);
	regions->hash = load_uint(regions->fixed.data + FUNCTION_HASH, 8, covmap->big);
	return true;
}

void covmap_add(
	const struct covmap *covmap, const struct covmap_regions *regions, struct bytes bytes, struct buffer *output)
{
	static const uint8_t zeros[8];
	size_t start = output->size;

	buffer_add(output, regions->fixed.data, regions->fixed.size);
	store_uint(output->data + start + FUNCTION_REGIONS, bytes.size, 4, covmap->big);
	buffer_add(output, bytes.data, bytes.size);
	buffer_add(output, zeros, -output->size % sizeof(zeros));
}

void covmap_change(struct covmap *covmap, struct buffer *functions)
{
	buffer_free(&covmap->part[COVMAP_FUNCTIONS]);
	covmap->part[COVMAP_FUNCTIONS] = *functions;
	*functions = (struct buffer){0};
	covmap->changed = true;
}

void covmap_functions(const struct covmap *covmap, struct buffer *output)
{
	size_t start = output->size;
	struct covmap_list list;
	struct bytes function;
	struct bytes regions;
	size_t at = 0;
	size_t next = 0;

	buffer_add(output, covmap->part[COVMAP_FUNCTIONS].data, covmap->part[COVMAP_FUNCTIONS].size);
	while (take_function(covmap, &next, &function, &regions, &list)) {
		const struct covmap_rename *rename = covmap_renamed(covmap, load_uint(function.data, 8, covmap->big));

		store_uint(output->data + start + at + FUNCTION_LIST, list.is, 8, covmap->big);
		if (rename)
			store_uint(output->data + start + at, rename->now, 8, covmap->big);
		at = next;
	}
}

static int compare_renames(const void *left, const void *right)
{
	return compare_uint(((const struct covmap_rename *)left)->was, ((const struct covmap_rename *)right)->was);
}

const struct covmap_rename *covmap_renamed(const struct covmap *covmap, uint64_t was)
{
	struct covmap_rename key = {.was = was};

	return covmap->rename_count ? bsearch(&key, covmap->renames, covmap->rename_count, sizeof(key), compare_renames)
	                            : NULL;
}
