/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - read a linked image through libelf. What the headers claim is held
 * against the size of the file before anything is read by it.
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

/* A segment that is loaded has the section's bytes: by their place in the file, the one thing that is loaded. */
static bool is_loaded(Elf *elf, const GElf_Shdr *section)
{
	size_t count;
	size_t i;

	if (section->sh_type == SHT_NOBITS || !section->sh_size || elf_getphdrnum(elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
			section->sh_offset >= header.p_offset &&
			in_file(section->sh_offset - header.p_offset, section->sh_size, header.p_filesz))
			return true;
	}
	return false;
}

static int compare_symbols(const void *left, const void *right)
{
	return strcmp(((const struct image_symbol *)left)->name, ((const struct image_symbol *)right)->name);
}

static void read_symbols(struct image *image, Elf_Scn *section, const GElf_Shdr *header, bool arm)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t room = 0;
	size_t i;

	if (!data || !data->d_buf || !header->sh_entsize)
		return;
	for (i = 0; i < header->sh_size / header->sh_entsize && i <= INT32_MAX; i++) {
		struct image_symbol symbol;
		GElf_Sym entry;

		if (!gelf_getsym(data, (int)i, &entry))
			return;
		symbol.name = elf_strptr(image->elf, header->sh_link, entry.st_name);
		if (!symbol.name || !*symbol.name || entry.st_shndx == SHN_UNDEF)
			continue;
		symbol.function = GELF_ST_TYPE(entry.st_info) == STT_FUNC;
		symbol.section = entry.st_shndx < SHN_LORESERVE ? entry.st_shndx : 0;
		symbol.value = entry.st_value & ~(uint64_t)(arm && symbol.function);
		image->symbols = grow(image->symbols, image->symbol_count, &room, sizeof(symbol));
		image->symbols[image->symbol_count++] = symbol;
	}
}

static enum status read_sections(struct image *image, uint64_t file, bool arm, struct error *error)
{
	Elf_Scn *section = NULL;
	size_t room = 0;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names))
		return error_set(error, STATUS_BAD, "has a damaged header: its sections have no names");
	while ((section = elf_nextscn(image->elf, section))) {
		struct image_section entry;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return error_set(error, STATUS_BAD, "has a damaged section header");
		entry.name = elf_strptr(image->elf, names, header.sh_name);
		if (!entry.name)
			entry.name = "";
		if (header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL &&
			!in_file(header.sh_offset, header.sh_size, file))
			return error_set(error, STATUS_BAD,
				"is cut short or damaged: its section %s should end at %" PRIu64
				", the file has %" PRIu64 " bytes",
				entry.name, header.sh_offset + header.sh_size, file);
		entry.address = header.sh_addr;
		entry.size = header.sh_size;
		entry.index = elf_ndxscn(section);
		entry.allocated = header.sh_flags & SHF_ALLOC;
		entry.filled = header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL;
		entry.loaded = is_loaded(image->elf, &header);
		if (header.sh_type == SHT_SYMTAB && !image->symbol_count)
			read_symbols(image, section, &header, arm);
		image->sections = grow(image->sections, image->section_count, &room, sizeof(entry));
		image->sections[image->section_count++] = entry;
	}
	if (image->symbol_count)
		qsort(image->symbols, image->symbol_count, sizeof(*image->symbols), compare_symbols);
	return STATUS_OK;
}

enum status image_open(struct image *image, const char *path, struct error *error)
{
	GElf_Ehdr header;
	struct stat file;
	uint64_t size;

	*image = (struct image){.fd = open(path, O_RDONLY | O_CLOEXEC)};
	if (image->fd < 0 || fstat(image->fd, &file))
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	if (S_ISDIR(file.st_mode))
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(EISDIR));
	size = (uint64_t)file.st_size;
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF || !gelf_getehdr(image->elf, &header))
		return error_set(error, STATUS_BAD, "is no ELF file: check wants the linked image, before objcopy");
	image->width = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	image->big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	if (header.e_type == ET_REL)
		return error_set(error, STATUS_BAD, "is a relocatable object: check wants the linked image");
	if (!in_file(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, size))
		return error_set(error, STATUS_BAD,
			"is cut short: its section headers are at %" PRIu64 ", the file has %" PRIu64 " bytes",
			(uint64_t)header.e_shoff, size);
	if (!header.e_shoff)
		return error_set(error, STATUS_BAD, "has no section headers: check the image before they are stripped");
	return read_sections(image, size, header.e_machine == EM_ARM, error);
}

void image_close(struct image *image)
{
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

const struct image_symbol *image_symbol(const struct image *image, const char *name)
{
	struct image_symbol key = {.name = name};

	return image->symbol_count ? bsearch(&key, image->symbols, image->symbol_count, sizeof(key), compare_symbols)
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
