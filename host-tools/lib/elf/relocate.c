/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relocate.c - applies the relocations that a loader would apply, for an image at the addresses to
 * which it was linked.
 *
 * Relative relocations in SHT_RELR and SHT_REL sections change nothing if the image is not moved, because the relocated
 * bytes in the file already have the right value. Relative relocations in SHT_RELA sections can be necessary, because
 * lld leaves zeros in place of the value.
 *
 * The linker has already applied all relocations of sections that are not loaded. With --emit-relocs, the linker also
 * keeps these relocations in the file, for example for a Linux kernel that relocates itself. The kept relocations are
 * skipped. The relocations of a module have not been applied yet, so they are applied here.
 */
#include "image.h"

#include <gelf.h>
#include <string.h>

enum how {
	HOW_ADDEND, /* new value: addend */
	HOW_ABSOLUTE, /* new value: symbol + addend */
	HOW_DISTANCE, /* new value: symbol + addend - address of the relocated bytes */
	HOW_ADD, /* new value: old value + symbol + addend */
	HOW_SUBTRACT, /* new value: old value - (symbol + addend) */
};

static const struct kind {
	unsigned int machine;
	unsigned int type;
	unsigned int width;
	enum how how;
} kinds[] = {
	{EM_X86_64, R_X86_64_RELATIVE, 8, HOW_ADDEND},
	{EM_X86_64, R_X86_64_64, 8, HOW_ABSOLUTE},
	{EM_X86_64, R_X86_64_32, 4, HOW_ABSOLUTE}, /* in debug information */
	{EM_X86_64, R_X86_64_GLOB_DAT, 8, HOW_ABSOLUTE},
	{EM_X86_64, R_X86_64_PC64, 8, HOW_DISTANCE},
	{EM_AARCH64, R_AARCH64_RELATIVE, 8, HOW_ADDEND},
	{EM_AARCH64, R_AARCH64_ABS64, 8, HOW_ABSOLUTE},
	{EM_AARCH64, R_AARCH64_ABS32, 4, HOW_ABSOLUTE}, /* in debug information */
	{EM_AARCH64, R_AARCH64_GLOB_DAT, 8, HOW_ABSOLUTE},
	{EM_AARCH64, R_AARCH64_PREL64, 8, HOW_DISTANCE},
	{EM_ARM, R_ARM_RELATIVE, 4, HOW_ADDEND},
	{EM_ARM, R_ARM_ABS32, 4, HOW_ABSOLUTE},
	{EM_ARM, R_ARM_GLOB_DAT, 4, HOW_ABSOLUTE},
	{EM_ARM, R_ARM_REL32, 4, HOW_DISTANCE},
	{EM_386, R_386_RELATIVE, 4, HOW_ADDEND},
	{EM_386, R_386_32, 4, HOW_ABSOLUTE},
	{EM_386, R_386_GLOB_DAT, 4, HOW_ABSOLUTE},
	{EM_386, R_386_PC32, 4, HOW_DISTANCE},
	{EM_RISCV, R_RISCV_RELATIVE, 0, HOW_ADDEND},
	{EM_RISCV, R_RISCV_32, 4, HOW_ABSOLUTE},
	{EM_RISCV, R_RISCV_64, 8, HOW_ABSOLUTE},
	{EM_RISCV, R_RISCV_ADD32, 4, HOW_ADD},
	{EM_RISCV, R_RISCV_ADD64, 8, HOW_ADD},
	{EM_RISCV, R_RISCV_SUB32, 4, HOW_SUBTRACT},
	{EM_RISCV, R_RISCV_SUB64, 8, HOW_SUBTRACT},
};

static const struct kind *find_kind(const struct image *image, uint64_t info)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].machine == image->machine && kinds[i].type == GELF_R_TYPE(info))
			return &kinds[i];
	return NULL;
}

/* The bytes that are relocated, and their address in the image. */
struct target {
	const struct image *image;
	uint64_t address;
	uint8_t *bytes;
	size_t size;
};

static uint64_t symbol_value(const struct image *image, Elf_Data *symbols, uint64_t info)
{
	GElf_Sym symbol;

	if (!symbols || GELF_R_SYM(info) > INT32_MAX || !gelf_getsym(symbols, (int)GELF_R_SYM(info), &symbol) ||
		symbol.st_shndx == SHN_UNDEF)
		return 0;
	if (image->module && symbol.st_shndx <= image->section_count)
		return symbol.st_value + image->sections[symbol.st_shndx - 1].address;
	return symbol.st_value;
}

static void apply(const struct target *target, uint64_t place, uint64_t info, const int64_t *addend, Elf_Data *symbols)
{
	const struct kind *kind = find_kind(target->image, info);
	unsigned int width = kind && kind->width ? kind->width : target->image->width;
	uint64_t offset = place - target->address;
	uint64_t value;
	uint64_t there;
	unsigned int i;

	if (!kind || offset >= target->size || width > target->size - offset)
		return;
	there = load_uint(target->bytes + offset, width, target->image->big);
	value = addend ? (uint64_t)*addend : there;
	if (kind->how != HOW_ADDEND)
		value += symbol_value(target->image, symbols, info);
	if (kind->how == HOW_DISTANCE)
		value -= place;
	else if (kind->how == HOW_ADD)
		value = there + value;
	else if (kind->how == HOW_SUBTRACT)
		value = there - value;
	for (i = 0; i < width; i++)
		target->bytes[offset + i] = (uint8_t)(value >> 8 * (target->image->big ? width - 1 - i : i));
}

static void apply_table(const struct target *target, Elf_Scn *section, const GElf_Shdr *header, uint64_t base)
{
	bool has_addend = header->sh_type == SHT_RELA;
	Elf *elf = target->image->elf;
	Elf_Scn *linked = elf_getscn(elf, header->sh_link);
	Elf_Data *symbols = linked ? elf_getdata(linked, NULL) : NULL;
	Elf_Data *data = elf_getdata(section, NULL);
	size_t each = gelf_fsize(elf, has_addend ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
	size_t i;

	if (symbols && symbols->d_type != ELF_T_SYM)
		symbols = NULL;
	if (!data || !data->d_buf || !each || data->d_type != (has_addend ? ELF_T_RELA : ELF_T_REL))
		return;
	for (i = 0; i < data->d_size / each && i <= INT32_MAX; i++) {
		GElf_Rela with;
		GElf_Rel without;

		if (has_addend && gelf_getrela(data, (int)i, &with))
			apply(target, base + with.r_offset, with.r_info, &with.r_addend, symbols);
		else if (!has_addend && gelf_getrel(data, (int)i, &without))
			apply(target, base + without.r_offset, without.r_info, NULL, symbols);
	}
}

void image_relocate(const struct image *image, uint64_t address, struct bytes content, struct buffer *copy)
{
	struct target target = {image, address, NULL, content.size};
	Elf_Scn *section = NULL;

	buffer_add(copy, content.data, content.size);
	if (!content.size)
		return;
	target.bytes = copy->data + copy->size - content.size;
	while ((section = elf_nextscn(image->elf, section))) {
		uint64_t base = 0;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
			continue;
		if (image->module) {
			if (!header.sh_info || header.sh_info > image->section_count ||
				!image->sections[header.sh_info - 1].allocated)
				continue;
			base = image->sections[header.sh_info - 1].address;
		} else if (!(header.sh_flags & SHF_ALLOC)) {
			continue;
		}
		apply_table(&target, section, &header, base);
	}
}

void image_relocate_section(const struct image *image, const struct image_section *section, struct buffer *copy)
{
	struct bytes content = image_content(image, section);
	struct target target = {image, 0, NULL, content.size};
	Elf_Scn *table = NULL;

	buffer_add(copy, content.data, content.size);
	if (!content.size || !image->module)
		return;
	target.bytes = copy->data + copy->size - content.size;
	while ((table = elf_nextscn(image->elf, table))) {
		GElf_Shdr header;

		if (gelf_getshdr(table, &header) && (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
			header.sh_info == section->index)
			apply_table(&target, table, &header, 0);
	}
}

void image_relocate_debug(const struct image *image)
{
	size_t i;

	for (i = 0; image->module && i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];
		Elf_Scn *handle = elf_getscn(image->elf, section->index);
		struct buffer copy = {0};
		Elf_Data *data;
		GElf_Shdr header;

		if (section->allocated || !section->filled || strncmp(section->name, ".debug_", strlen(".debug_")) != 0)
			continue;
		/* Relocations apply to the bytes that are not compressed. */
		if (gelf_getshdr(handle, &header) && header.sh_flags & SHF_COMPRESSED && elf_compress(handle, 0, 0) < 0)
			continue;
		image_relocate_section(image, section, &copy);
		data = elf_getdata(handle, NULL);
		if (data && data->d_buf && data->d_size == copy.size)
			memcpy(data->d_buf, copy.data, copy.size);
		buffer_free(&copy);
	}
}
