/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapping_read.c - reads the coverage mapping of an ELF file. __llvm_covmap has a list of file names for each object. A
 * list consists of a header of four words and the names, and zlib may have packed the names. __llvm_covfun has the
 * records of the functions. Each list and each record starts at a multiple of 8 bytes.
 */
#include "inflate.h"
#include "mapping.h"
#include "md5.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Versions of the mapping. Each number is the number in the file, which is 1 less than in LLVM's sources. LLVM 11
 * writes 3, clang 13 to 16 write 5, and clang 18 to 22 write 6.
 */
#define VERSION_OLDEST 3u
#define VERSION_FOLDER 5u /* from this version on, the first name is the folder in which the compiler ran */
#define VERSION_NEWEST 6u

/* The four words of a list's header: two that are always 0 now, the size of the list, and the version. */
#define LIST_HEADER  16u
#define LIST_SIZE    4u
#define LIST_VERSION 12u

/* A record: name hash, size of its regions, structural hash, hash of its list, regions. */
#define RECORD_HEADER 28u
#define RECORD_SIZE   8u
#define RECORD_HASH   12u
#define RECORD_LIST   20u

/*
 * The names of all lists, unpacked, have at most this size. Without the limit, a hostile program of a few KB could use up
 * all memory: zlib packs zeros by a factor of 1,000, and each name gets the name of its folder. Kernels have a factor of 5.
 * A list can have one name many times, which takes time but no memory, so the bytes of all names have a limit, too.
 */
#define NAMES_BASE   (4u << 20)
#define NAMES_FACTOR 32u
#define WORK_BASE    (64u << 20)
#define WORK_FACTOR  256u

/* While a mapping is read. */
struct reader {
	struct mapping *mapping;
	struct file_names *files;
	uint64_t budget; /* number of bytes that the names may still take in memory */
	uint64_t work; /* number of bytes of names that may still be read */
};

static struct bytes bytes_of(const struct buffer *buffer)
{
	return (struct bytes){buffer->data, buffer->size};
}

static size_t align(size_t offset)
{
	return (offset + 7) & ~(size_t)7;
}

static void add_file(struct mapping *mapping, uint32_t file)
{
	mapping->list_files = array_grow(
		mapping->list_files, mapping->list_file_count, &mapping->list_file_room, sizeof(*mapping->list_files));
	mapping->list_files[mapping->list_file_count++] = file;
}

/* Reads @count names. Returns false if they are damaged or too large. */
static bool read_names(struct reader *reader, struct bytes bytes, uint64_t count, bool has_folder)
{
	struct cursor cursor = cursor_of(bytes);
	struct bytes folder = {NULL, 0};
	uint64_t i;

	for (i = 0; i < count && !cursor.failed; i++) {
		struct bytes name = take_bytes(&cursor, take_uleb(&cursor));
		uint64_t before = reader->files->bytes;
		uint64_t cost;

		if (cursor.failed || folder.size > reader->budget || folder.size + name.size > reader->work)
			return false;
		reader->work -= folder.size + name.size;
		/* The folder is a name, too, but no function has code in it. */
		add_file(reader->mapping, file_names_add(reader->files, folder, name));
		cost = reader->files->bytes - before + sizeof(*reader->mapping->list_files);
		if (cost > reader->budget)
			return false;
		reader->budget -= cost;
		if (!i && has_folder)
			folder = name.data ? name : (struct bytes){(const uint8_t *)"", 0};
	}
	return !cursor.failed && cursor.at == cursor.end && count;
}

/* Unpacks and reads the list @packed. */
static bool read_list(struct reader *reader, struct bytes packed, bool has_folder)
{
	struct cursor cursor = cursor_of(packed);
	uint64_t count = take_uleb(&cursor);
	uint64_t size = take_uleb(&cursor);
	uint64_t packed_size = take_uleb(&cursor);
	struct bytes rest = take_bytes(&cursor, packed_size ? packed_size : size);
	struct buffer names = {0};
	bool good = !cursor.failed && size <= reader->budget;

	if (good && packed_size) {
		reader->budget -= size;
		good = inflate_all(rest, (size_t)size, &names);
		rest = bytes_of(&names);
	}
	good = good && read_names(reader, rest, count, has_folder);
	buffer_free(&names);
	return good;
}

static int compare_lists(const void *left, const void *right)
{
	return compare_uint(((const struct mapping_list *)left)->hash, ((const struct mapping_list *)right)->hash);
}

static enum status read_lists(struct reader *reader, struct error *error)
{
	struct mapping *mapping = reader->mapping;
	struct bytes bytes = bytes_of(&mapping->lists_section);
	size_t at = 0;

	while (at < bytes.size) {
		struct mapping_list list = {.first = mapping->list_file_count};
		struct bytes header;
		uint32_t size;

		if (!bytes_slice(bytes, at, LIST_HEADER, &header))
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping that is cut short at offset %zu of __llvm_covmap", at);
		size = (uint32_t)load_uint(header.data + LIST_SIZE, 4, mapping->big);
		list.version = (uint32_t)load_uint(header.data + LIST_VERSION, 4, mapping->big);
		if (list.version < VERSION_OLDEST || list.version > VERSION_NEWEST)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping of version %" PRIu32
				" at offset %zu of __llvm_covmap, but this bareprof reads only the versions of LLVM 11 "
				"to 22",
				list.version + 1, at);
		if (load_uint(header.data, 4, mapping->big) || load_uint(header.data + 8, 4, mapping->big) ||
			!bytes_slice(bytes, at + LIST_HEADER, size, &list.bytes) ||
			!read_list(reader, list.bytes, list.version >= VERSION_FOLDER))
			return error_set(error, STATUS_INVALID_INPUT,
				"has a coverage mapping whose file names at offset %zu of __llvm_covmap are damaged",
				at);
		list.hash = md5_low(list.bytes);
		list.count = mapping->list_file_count - list.first;
		mapping->lists =
			array_grow(mapping->lists, mapping->list_count, &mapping->list_room, sizeof(*mapping->lists));
		mapping->lists[mapping->list_count++] = list;
		at = align(at + LIST_HEADER + size);
	}
	if (mapping->list_count)
		qsort(mapping->lists, mapping->list_count, sizeof(*mapping->lists), compare_lists);
	return STATUS_OK;
}

/* Returns the list whose hash is @hash, or NULL. */
static const struct mapping_list *find_list(const struct mapping *mapping, uint64_t hash)
{
	const struct mapping_list key = {.hash = hash};

	return mapping->list_count ? bsearch(&key, mapping->lists, mapping->list_count, sizeof(key), compare_lists)
	                           : NULL;
}

bool mapping_take(const struct mapping *mapping, size_t *at, struct mapping_record *record)
{
	struct bytes bytes = bytes_of(&mapping->records_section);
	const struct mapping_list *list;
	struct bytes header;

	if (!bytes_slice(bytes, *at, RECORD_HEADER, &header) ||
		!bytes_slice(bytes, *at + RECORD_HEADER, load_uint(header.data + RECORD_SIZE, 4, mapping->big),
			&record->regions))
		return false;
	list = find_list(mapping, load_uint(header.data + RECORD_LIST, 8, mapping->big));
	if (!list)
		return false;
	record->name = load_uint(header.data, 8, mapping->big);
	record->hash = load_uint(header.data + RECORD_HASH, 8, mapping->big);
	record->list = (size_t)(list - mapping->lists);
	*at = align(*at + RECORD_HEADER + record->regions.size);
	return true;
}

static uint32_t *find_slot(const struct mapping *mapping, uint64_t name)
{
	size_t at = (size_t)(name ^ name >> 32) & (mapping->table_size - 1);

	while (mapping->table[at] && mapping->records[mapping->table[at] - 1].name != name)
		at = (at + 1) & (mapping->table_size - 1);
	return &mapping->table[at];
}

const struct mapping_record *mapping_find(const struct mapping *mapping, uint64_t name)
{
	uint32_t found = mapping->table ? *find_slot(mapping, name) : 0;

	return found ? &mapping->records[found - 1] : NULL;
}

static void grow_table(struct mapping *mapping)
{
	size_t i;

	if (2 * mapping->record_count < mapping->table_size)
		return;
	free(mapping->table);
	free(mapping->shadowed);
	mapping->table_size = mapping->table_size ? 2 * mapping->table_size : 1024;
	mapping->table = allocate(mapping->table_size, sizeof(*mapping->table));
	for (i = 0; i < mapping->record_count; i++)
		*find_slot(mapping, mapping->records[i].name) = (uint32_t)i + 1;
}

static bool is_dummy(const struct mapping_record *record)
{
	return !record->hash && regions_are_dummy(record->regions);
}

/* Adds @record, if it is the first of its function, or the first that is not a dummy. */
static void add_record(struct mapping *mapping, const struct mapping_record *record)
{
	uint32_t *slot;

	grow_table(mapping);
	slot = find_slot(mapping, record->name);
	if (*slot) {
		struct mapping_record *old = &mapping->records[*slot - 1];

		mapping->shadowed = array_grow(mapping->shadowed, mapping->shadowed_count, &mapping->shadowed_room,
			sizeof(*mapping->shadowed));
		if (is_dummy(old) && !is_dummy(record)) {
			mapping->shadowed[mapping->shadowed_count++] = *old;
			*old = *record;
		} else {
			mapping->shadowed[mapping->shadowed_count++] = *record;
		}
		return;
	}
	mapping->records =
		array_grow(mapping->records, mapping->record_count, &mapping->record_room, sizeof(*mapping->records));
	mapping->records[mapping->record_count++] = *record;
	*slot = (uint32_t)mapping->record_count;
}

/* struct mapping_record starts with the name hash. */
static int compare_records(const void *left, const void *right)
{
	return compare_numbers(left, right);
}

const struct mapping_record *mapping_find_shadowed(const struct mapping *mapping, uint64_t name, size_t *count)
{
	size_t first = lower_bound(
		&name, mapping->shadowed, mapping->shadowed_count, sizeof(*mapping->shadowed), compare_records);
	size_t end = first;

	while (end < mapping->shadowed_count && mapping->shadowed[end].name == name)
		end++;
	*count = end - first;
	return mapping->shadowed + first;
}

static enum status read_records(struct mapping *mapping, struct error *error)
{
	struct mapping_record record;
	size_t at = 0;

	while (mapping_take(mapping, &at, &record))
		add_record(mapping, &record);
	if (mapping->shadowed_count)
		qsort(mapping->shadowed, mapping->shadowed_count, sizeof(*mapping->shadowed), compare_records);
	if (at >= mapping->records_section.size)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"has a coverage mapping whose function at offset %zu of __llvm_covfun is damaged", at);
}

/*
 * Appends the contents of all sections called @name to @content. Objects from `ld -r` can have several sections with one
 * name. The contents are read from the file itself, because libelf would keep a copy of them. Returns false if the file
 * is shorter than a section.
 */
static bool collect(Elf *elf, int fd, const char *name, struct buffer *content)
{
	static const uint8_t zeros[8];
	Elf_Scn *section;
	struct stat about;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) || fstat(fd, &about))
		return true;
	for (section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		if (!found || header.sh_type == SHT_NOBITS || strcmp(found, name) != 0)
			continue;
		if (header.sh_size > (uint64_t)about.st_size)
			return false;
		buffer_add(content, zeros, align(content->size) - content->size);
		buffer_exactly(content, (size_t)header.sh_size);
		if (pread(fd, content->data + content->size, (size_t)header.sh_size, (off_t)header.sh_offset) !=
			(ssize_t)header.sh_size)
			return false;
		content->size += (size_t)header.sh_size;
	}
	return true;
}

static enum status read_sections(struct mapping *mapping, Elf *elf, int fd, struct error *error)
{
	GElf_Ehdr header;
	bool whole;

	if (!elf || !gelf_getehdr(elf, &header))
		return error_set(error, STATUS_INVALID_INPUT, "is not an ELF file");
	mapping->big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	whole = collect(elf, fd, "__llvm_covmap", &mapping->lists_section) &&
	        collect(elf, fd, "__llvm_covfun", &mapping->records_section) &&
	        collect(elf, fd, "__llvm_prf_names", &mapping->names_section);
	/* With -profile-correlate=binary, the names have a section of their own that is not loaded. */
	if (whole && !mapping->names_section.size)
		whole = collect(elf, fd, "__llvm_covnames", &mapping->names_section);
	if (!whole)
		return error_set(error, STATUS_INVALID_INPUT,
			"is cut short: the file ends within a section of the coverage mapping; copy it again");
	return names_read(&mapping->names, bytes_of(&mapping->names_section), error);
}

enum status mapping_read(struct mapping *mapping, const char *path, struct file_names *files, struct error *error)
{
	struct reader reader = {.mapping = mapping, .files = files};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum status status;
	Elf *elf;

	if (fd < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	status = read_sections(mapping, elf, fd, error);
	if (elf)
		elf_end(elf);
	close(fd);
	reader.budget = NAMES_BASE + (uint64_t)NAMES_FACTOR * mapping->lists_section.size;
	reader.work = WORK_BASE + (uint64_t)WORK_FACTOR * mapping->lists_section.size;
	if (status == STATUS_OK)
		status = read_lists(&reader, error);
	return status == STATUS_OK ? read_records(mapping, error) : status;
}

static int compare_renames(const void *left, const void *right)
{
	return compare_uint(((const struct mapping_rename *)left)->was, ((const struct mapping_rename *)right)->was);
}

const struct mapping_rename *mapping_renamed(const struct mapping *mapping, uint64_t name)
{
	const struct mapping_rename key = {.was = name};

	return mapping->rename_count
	               ? bsearch(&key, mapping->renames, mapping->rename_count, sizeof(key), compare_renames)
	               : NULL;
}

void mapping_free(struct mapping *mapping)
{
	size_t i;

	for (i = 0; i < mapping->rename_count; i++)
		free(mapping->renames[i].name);
	free(mapping->renames);
	buffer_free(&mapping->lists_section);
	buffer_free(&mapping->records_section);
	buffer_free(&mapping->names_section);
	names_free(&mapping->names);
	free(mapping->lists);
	free(mapping->list_files);
	free(mapping->records);
	free(mapping->table);
	free(mapping->shadowed);
	*mapping = (struct mapping){0};
}
