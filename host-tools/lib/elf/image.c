/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - reads a linked image with libelf. The offsets and sizes in the headers are compared
 * with the size of the file before they are used to read from the file.
 */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool in_file(uint64_t offset, uint64_t size, uint64_t file)
{
	return offset <= file && size <= file - offset;
}

/*
 * Fills in entry->loaded, entry->load and entry->writable, which depend on segments. A linker script
 * can put a section into a segment whose access rights differ from the access rights of the section.
 */
static void find_segment(Elf *elf, const GElf_Shdr *section, struct image_section *entry)
{
	size_t count;
	size_t i;

	if (!section->sh_size || elf_getphdrnum(elf, &count))
		return;
	for (i = 0; i < count; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		/* This test compares file offsets instead of addresses, because a loader copies bytes of the file. */
		if (section->sh_type != SHT_NOBITS && section->sh_offset >= header.p_offset &&
			in_file(section->sh_offset - header.p_offset, section->sh_size, header.p_filesz)) {
			entry->loaded = true;
			entry->load = header.p_paddr + (section->sh_offset - header.p_offset);
		}
		if (entry->allocated && section->sh_addr >= header.p_vaddr &&
			in_file(section->sh_addr - header.p_vaddr, section->sh_size, header.p_memsz))
			entry->writable = header.p_flags & PF_W;
	}
}

/*
 * Returns whether the image has writable segments and read-only segments. A flat image with only
 * one segment runs without memory protection, and the flags of that segment have no effect.
 */
static bool has_protection(Elf *elf)
{
	bool seen[2] = {false, false};
	size_t count;
	size_t i;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD && header.p_memsz)
			seen[!!(header.p_flags & PF_W)] = true;
	}
	return seen[0] && seen[1];
}

static int compare_symbols(const void *left, const void *right)
{
	const struct image_symbol *a = left;
	const struct image_symbol *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->file, b->file);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void read_symbols(struct image *image, size_t table, bool arm)
{
	Elf_Scn *section = elf_getscn(image->elf, table);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	const char *file = "";
	GElf_Shdr header;
	size_t room = 0;
	size_t i;

	if (!data || !data->d_buf || !gelf_getshdr(section, &header) || !header.sh_entsize)
		return;
	for (i = 0; i < header.sh_size / header.sh_entsize && i <= INT32_MAX; i++) {
		struct image_symbol symbol;
		GElf_Sym entry;

		if (!gelf_getsym(data, (int)i, &entry))
			break;
		symbol.name = elf_strptr(image->elf, header.sh_link, entry.st_name);
		if (!symbol.name)
			continue;
		if (GELF_ST_TYPE(entry.st_info) == STT_FILE)
			file = base_name(symbol.name);
		if (!*symbol.name || entry.st_shndx == SHN_UNDEF || GELF_ST_TYPE(entry.st_info) == STT_FILE)
			continue;
		symbol.file = GELF_ST_BIND(entry.st_info) == STB_LOCAL ? file : "";
		symbol.function = GELF_ST_TYPE(entry.st_info) == STT_FUNC;
		symbol.thumb = arm && symbol.function && entry.st_value & 1;
		symbol.object = GELF_ST_TYPE(entry.st_info) == STT_OBJECT;
		symbol.size = entry.st_size;
		symbol.section = entry.st_shndx < SHN_LORESERVE ? entry.st_shndx : 0;
		symbol.value = entry.st_value & ~(uint64_t)(arm && symbol.function);
		if (image->module && symbol.section && symbol.section <= image->section_count)
			symbol.value += image->sections[symbol.section - 1].address;
		image->symbols = array_grow(image->symbols, image->symbol_count, &room, sizeof(symbol));
		image->symbols[image->symbol_count++] = symbol;
	}
	if (image->symbol_count)
		qsort(image->symbols, image->symbol_count, sizeof(*image->symbols), compare_symbols);
}

/*
 * Gives each section of a module an address. The addresses are arbitrary, but not 0, because 0
 * means that the section does not exist.
 */
static void place_sections(struct image *image)
{
	uint64_t at = 0x10000;
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		struct image_section *section = &image->sections[i];

		if (!section->allocated)
			continue;
		if (section->alignment && at % section->alignment)
			at += section->alignment - at % section->alignment;
		section->address = at;
		at += section->size;
	}
}

static enum status read_section(struct image *image, const GElf_Shdr *header, const char *name, uint64_t file,
	struct image_section *entry, struct error *error)
{
	bool filled = header->sh_type != SHT_NOBITS && header->sh_type != SHT_NULL;

	*entry = (struct image_section){
		.name = name ? name : "",
		.address = header->sh_addr,
		.size = header->sh_size,
		.offset = header->sh_offset,
		.alignment = header->sh_addralign,
		.allocated = header->sh_flags & SHF_ALLOC,
		.filled = filled,
		.loaded = image->module && filled && header->sh_flags & SHF_ALLOC,
		.executable = header->sh_flags & SHF_EXECINSTR,
		.linked = header->sh_flags & SHF_LINK_ORDER,
		.writable = header->sh_flags & SHF_WRITE,
	};
	if (filled && !in_file(header->sh_offset, header->sh_size, file))
		return error_set(error, STATUS_INVALID_INPUT,
			"is cut short or damaged: its section %s should end at %" PRIu64 ", but the file has %" PRIu64
			" bytes",
			*entry->name ? entry->name : "without a name", header->sh_offset + header->sh_size, file);
	find_segment(image->elf, header, entry);
	return STATUS_OK;
}

static enum status read_sections(struct image *image, uint64_t file, bool arm, struct error *error)
{
	Elf_Scn *section = NULL;
	size_t table = 0;
	size_t room = 0;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names))
		return error_set(error, STATUS_INVALID_INPUT, "has a damaged header: its sections have no names");
	while ((section = elf_nextscn(image->elf, section))) {
		struct image_section entry;
		enum status status;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return error_set(error, STATUS_INVALID_INPUT, "has a damaged section header");
		status = read_section(
			image, &header, elf_strptr(image->elf, names, header.sh_name), file, &entry, error);
		if (status != STATUS_OK)
			return status;
		entry.index = elf_ndxscn(section);
		if (header.sh_type == SHT_SYMTAB && !table)
			table = entry.index;
		image->sections = array_grow(image->sections, image->section_count, &room, sizeof(entry));
		image->sections[image->section_count++] = entry;
	}
	if (image->module)
		place_sections(image);
	if (table)
		read_symbols(image, table, arm);
	return STATUS_OK;
}

enum status image_open(struct image *image, const char *path, struct error *error)
{
	GElf_Ehdr header;
	struct stat file;

	*image = (struct image){.fd = open(path, O_RDONLY | O_CLOEXEC)};
	if (image->fd < 0 || fstat(image->fd, &file))
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	if (S_ISDIR(file.st_mode))
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(EISDIR));
	image->size = (uint64_t)file.st_size;
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF || !gelf_getehdr(image->elf, &header))
		return error_set(
			error, STATUS_INVALID_INPUT, "is not an ELF file: give the linked image from before objcopy");
	image->width = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	image->big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	image->machine = header.e_machine;
	image->module = header.e_type == ET_REL;
	image->protects = has_protection(image->elf);
	if (!in_file(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, image->size))
		return error_set(error, STATUS_INVALID_INPUT,
			"is cut short: its section headers are at %" PRIu64 ", but the file has %" PRIu64 " bytes",
			(uint64_t)header.e_shoff, image->size);
	if (!header.e_shoff)
		return error_set(
			error, STATUS_INVALID_INPUT, "has no section headers: give the image as it was before strip");
	return read_sections(image, image->size, header.e_machine == EM_ARM, error);
}

void image_close(struct image *image)
{
	size_t i;

	for (i = 0; i < image->symbol_count && image->listed; i++)
		free((char *)image->symbols[i].name);
	free(image->symbols);
	free(image->sections);
	if (image->elf)
		elf_end(image->elf);
	if (image->fd >= 0)
		close(image->fd);
}

const struct image_section *image_section(const struct image *image, const char *name)
{
	size_t i;

	for (i = 0; i < image->section_count; i++)
		if (!strcmp(image->sections[i].name, name))
			return &image->sections[i];
	return NULL;
}

/*
 * Returns the index of the symbol @name of file @file. If there is no such symbol, returns the index at which it would
 * be inserted into the sorted list.
 */
static size_t symbol_index(const struct image *image, const char *name, const char *file)
{
	struct image_symbol key = {.name = name, .file = file};

	return lower_bound(&key, image->symbols, image->symbol_count, sizeof(*image->symbols), compare_symbols);
}

const struct image_symbol *image_symbol(const struct image *image, const char *name)
{
	size_t i = symbol_index(image, name, "");

	return i < image->symbol_count && !strcmp(image->symbols[i].name, name) ? &image->symbols[i] : NULL;
}

/*
 * Returns true if @file and @other are two different source files: they have the same suffix and different names. In an
 * image that was linked with LTO, the file of a symbol is not a source file and has another suffix.
 */
static bool two_sources(const char *file, const char *other)
{
	const char *suffix = strrchr(file, '.');
	const char *other_suffix = strrchr(other, '.');

	return suffix && other_suffix && !strcmp(suffix, other_suffix) && strcmp(file, other) != 0;
}

const struct image_symbol *image_function(const struct image *image, const char *name, const char *file)
{
	const struct image_symbol *list = image->symbols;
	size_t i = symbol_index(image, name, base_name(file));

	if (i < image->symbol_count && !strcmp(list[i].name, name) && !strcmp(list[i].file, base_name(file)))
		return list[i].function ? &list[i] : NULL;
	i = symbol_index(image, name, "");
	if (i >= image->symbol_count || strcmp(list[i].name, name) || !list[i].function ||
		(i + 1 < image->symbol_count && !strcmp(list[i + 1].name, name)) ||
		two_sources(list[i].file, base_name(file)))
		return NULL;
	return &list[i];
}

const struct image_symbol *image_prefix(const struct image *image, const char *prefix)
{
	size_t i = symbol_index(image, prefix, "");

	return i < image->symbol_count && !strncmp(image->symbols[i].name, prefix, strlen(prefix)) ? &image->symbols[i]
	                                                                                           : NULL;
}

struct bytes image_content(const struct image *image, const struct image_section *section)
{
	Elf_Scn *handle = section && section->filled ? elf_getscn(image->elf, section->index) : NULL;
	Elf_Data *data = handle ? elf_rawdata(handle, NULL) : NULL;

	if (!data || !data->d_buf)
		return (struct bytes){NULL, 0};
	return (struct bytes){data->d_buf, data->d_size};
}

const struct image_section *image_where(const struct image *image, uint64_t address, uint64_t size)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];

		if (section->allocated && address >= section->address && size &&
			in_file(address - section->address, size, section->size))
			return section;
	}
	return NULL;
}
