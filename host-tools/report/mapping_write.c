/* SPDX-License-Identifier: BSD-2-Clause */
/* mapping_write.c - writes the mapping of a program with other names of source files and functions. */
#include "mapping_write.h"
#include "mapping_zero.h"
#include "md5.h"
#include "region_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The sections of the new file. */
enum part {
	PART_NAMES,
	PART_LISTS,
	PART_RECORDS,
	PARTS,
};

static const char *const part_name[PARTS] = {"__llvm_prf_names", "__llvm_covmap", "__llvm_covfun"};

/* The section names of the new file. A zero byte is before the first name and after each name. */
static const char string_table[] = "\0__llvm_prf_names\0__llvm_covmap\0__llvm_covfun\0.shstrtab";

/* From this version on, the first name of a list is the folder in which the compiler ran. */
#define VERSION_FOLDER 5u

#define LIST_HEADER   16u
#define RECORD_HEADER 28u

static struct bytes bytes_of(const struct buffer *buffer)
{
	return (struct bytes){buffer->data, buffer->size};
}

static void align(struct buffer *buffer)
{
	static const uint8_t zeros[8];

	buffer_add(buffer, zeros, -buffer->size % sizeof(zeros));
}

/* Appends @list with the names of the report, and returns its hash. */
static uint64_t add_list(const struct mapping_copy *copy, const struct mapping_list *list, struct buffer *out)
{
	struct buffer names = {0};
	struct buffer text = {0};
	uint8_t header[LIST_HEADER] = {0};
	uint64_t hash;
	size_t i;

	for (i = 0; i < list->count; i++) {
		struct bytes name = copy->files->list[copy->mapping->list_files[list->first + i]];

		/* The names include their folders, so the folder of the list is empty. */
		if (!i && list->version >= VERSION_FOLDER)
			name.size = 0;
		buffer_add_uleb(&names, name.size);
		buffer_add(&names, name.data, name.size);
	}
	buffer_add_uleb(&text, list->count);
	buffer_add_uleb(&text, names.size);
	buffer_add_uleb(&text, 0);
	buffer_add(&text, names.data, names.size);
	hash = md5_low(bytes_of(&text));
	store_uint(header + 4, text.size, 4, copy->mapping->big);
	store_uint(header + 12, list->version, 4, copy->mapping->big);
	buffer_add(out, header, sizeof(header));
	buffer_add(out, text.data, text.size);
	align(out);
	buffer_free(&names);
	buffer_free(&text);
	return hash;
}

/* Appends the regions of @record, without impossible counts. @name is the name hash in the report. */
static void add_regions(const struct mapping_copy *copy, const struct mapping_record *record, uint64_t name,
	struct function_regions *regions, struct buffer *out)
{
	const struct mapping_list *list = &copy->mapping->lists[record->list];
	const struct function *function = model_find(copy->model, name, record->hash);

	if (!function || regions_read(regions, record->regions, copy->mapping->list_files + list->first, list->count) ||
		!regions_count(regions, function->counters, function->counter_count) ||
		regions_judge(regions, function->counters, function->counter_count) == COUNTS_POSSIBLE) {
		buffer_add(out, record->regions.data, record->regions.size);
		return;
	}
	/* llvm-cov computes the expressions as regions_count() does. regions_judge() has computed them in another way. */
	regions_count(regions, function->counters, function->counter_count);
	mapping_zero(record, regions, function->counters, function->counter_count, out);
}

/* Appends all records. @hashes are the hashes of the lists. */
static void add_records(const struct mapping_copy *copy, const uint64_t *hashes, struct buffer *out)
{
	const struct mapping *mapping = copy->mapping;
	struct function_regions regions = {0};
	struct mapping_record record;
	size_t at = 0;

	while (mapping_take(mapping, &at, &record)) {
		const struct mapping_rename *rename = mapping_renamed(mapping, record.name);
		uint64_t name = rename ? rename->now : record.name;
		size_t start = out->size;
		uint8_t header[RECORD_HEADER] = {0};

		buffer_add(out, header, sizeof(header));
		add_regions(copy, &record, name, &regions, out);
		store_uint(out->data + start, name, 8, mapping->big);
		store_uint(out->data + start + 8, out->size - start - sizeof(header), 4, mapping->big);
		store_uint(out->data + start + 12, record.hash, 8, mapping->big);
		store_uint(out->data + start + 20, hashes[record.list], 8, mapping->big);
		align(out);
	}
	function_regions_free(&regions);
}

/*
 * Appends a chunk with the new names. A section of names consists of chunks, which begin with their size and packed size.
 */
static void add_new_names(const struct mapping *mapping, struct buffer *names)
{
	struct buffer text = {0};
	size_t i;

	for (i = 0; i < mapping->rename_count; i++)
		buffer_printf(&text, "%s%s", i ? "\1" : "", mapping->renames[i].name);
	buffer_add_uleb(names, text.size);
	buffer_add_uleb(names, 0);
	buffer_add(names, text.data, text.size);
	buffer_free(&text);
}

static void make_parts(const struct mapping_copy *copy, struct buffer parts[PARTS])
{
	const struct mapping *mapping = copy->mapping;
	uint64_t *hashes = allocate(mapping->list_count, sizeof(*hashes));
	size_t i;

	buffer_add(&parts[PART_NAMES], mapping->names_section.data, mapping->names_section.size);
	if (mapping->rename_count)
		add_new_names(mapping, &parts[PART_NAMES]);
	for (i = 0; i < mapping->list_count; i++)
		hashes[i] = add_list(copy, &mapping->lists[i], &parts[PART_LISTS]);
	add_records(copy, hashes, &parts[PART_RECORDS]);
	free(hashes);
}

static bool add_section(Elf *elf, const char *name, GElf_Word type, const void *content, size_t size)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	const char *at = memmem(string_table, sizeof(string_table), name, strlen(name) + 1);
	GElf_Shdr header;

	if (!data || !gelf_getshdr(section, &header))
		return false;
	*data = (Elf_Data){.d_buf = (void *)(uintptr_t)content,
		.d_type = ELF_T_BYTE,
		.d_size = size,
		.d_align = 8,
		.d_version = EV_CURRENT};
	header.sh_name = (GElf_Word)(at - string_table);
	header.sh_type = type;
	header.sh_addralign = 8;
	return gelf_update_shdr(section, &header);
}

/* Writes @parts as an ELF file with the machine, class and byte order of @like. */
static bool write_elf(int fd, Elf *like, const struct buffer parts[PARTS])
{
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	GElf_Ehdr was;
	GElf_Ehdr header;
	bool good = elf && gelf_getehdr(like, &was) && gelf_newehdr(elf, was.e_ident[EI_CLASS]) &&
	            gelf_getehdr(elf, &header);
	size_t i;

	if (good) {
		memcpy(header.e_ident, was.e_ident, EI_NIDENT);
		header.e_type = ET_REL;
		header.e_machine = was.e_machine;
		header.e_flags = was.e_flags;
		header.e_version = EV_CURRENT;
		header.e_shstrndx = PARTS + 1;
		good = gelf_update_ehdr(elf, &header);
	}
	for (i = 0; i < PARTS && good; i++)
		good = add_section(elf, part_name[i], SHT_PROGBITS, parts[i].data, parts[i].size);
	good = good && add_section(elf, ".shstrtab", SHT_STRTAB, string_table, sizeof(string_table)) &&
	       elf_update(elf, ELF_C_WRITE) >= 0;
	if (elf)
		elf_end(elf);
	return good;
}

/* Writes @parts with the machine of the program. Returns NULL, or the reason of a failure. */
static const char *write_like(const struct mapping_copy *copy, const struct buffer parts[PARTS])
{
	const char *failed = NULL;
	int program = open(copy->elf_path, O_RDONLY | O_CLOEXEC);
	int fd = program < 0 ? -1 : open(copy->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	Elf *like;

	elf_version(EV_CURRENT);
	like = fd < 0 ? NULL : elf_begin(program, ELF_C_READ, NULL);
	if (fd < 0)
		failed = strerror(errno);
	else if (!like || !write_elf(fd, like, parts))
		failed = elf_errmsg(-1);
	/* Set the time of the copy to 1970, because llvm-cov warns of a program that is newer than its profile. */
	else if (futimens(fd, (struct timespec[2]){{0, 0}, {0, 0}}))
		failed = strerror(errno);
	if (like)
		elf_end(like);
	if (fd >= 0)
		close(fd);
	if (program >= 0)
		close(program);
	return failed;
}

enum status mapping_write(const struct mapping_copy *copy, struct error *error)
{
	struct buffer parts[PARTS] = {{0}};
	const char *failed;
	size_t i;

	make_parts(copy, parts);
	failed = write_like(copy, parts);
	for (i = 0; i < PARTS; i++)
		buffer_free(&parts[i]);
	if (failed)
		return error_set(error, STATUS_SYSTEM, "cannot be copied to %s: %s", copy->path, failed);
	return STATUS_OK;
}
