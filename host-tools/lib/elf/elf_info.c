/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_info.c - reads machine, build id, compiler and coverage mapping of an ELF file.
 */
#include "elf_info.h"
#include "arm_attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *machine_name(const GElf_Ehdr *header)
{
	bool is_64 = header->e_ident[EI_CLASS] == ELFCLASS64;

	switch (header->e_machine) {
	case EM_X86_64:
		return "x86_64";
	case EM_386:
		return "i386";
	case EM_ARM:
		return "arm";
	case EM_AARCH64:
		return "aarch64";
	case EM_RISCV:
		return is_64 ? "riscv64" : "riscv32";
	default:
		return "unknown";
	}
}

/*
 * Finds the newest clang release. Each compiler writes text such as "clang version 16.0.6" into
 * .comment and into debug information.
 */
static void read_producers(struct elf_info *info, const Elf_Data *data)
{
	static const char words[] = "clang version ";
	const char *at = data->d_buf;
	const char *end = at + data->d_size;

	while (at < end && (at = memmem(at, (size_t)(end - at), words, sizeof(words) - 1))) {
		unsigned int major = 0;

		for (at += sizeof(words) - 1; at < end && *at >= '0' && *at <= '9' && major < 1000; at++)
			major = major * 10 + (unsigned int)(*at - '0');
		if (major > info->clang)
			info->clang = major;
	}
}

/* @address is the link address of the notes, if they are loaded. */
static void read_notes(struct elf_info *info, Elf_Data *data, uint64_t address, bool loaded)
{
	size_t offset = 0;
	GElf_Nhdr note;
	size_t name;
	size_t description;

	while ((offset = gelf_getnote(data, offset, &note, &name, &description)) > 0) {
		struct bytes id = {(const uint8_t *)data->d_buf + description, note.n_descsz};

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || info->build_id.size ||
			memcmp((const char *)data->d_buf + name, "GNU", 4) != 0)
			continue;
		if (id.size && bytes_are_zero(id)) {
			info->unstamped = true;
			continue;
		}
		buffer_add(&info->build_id, id.data, id.size);
		info->build_id_address = loaded ? address + description : 0;
		info->build_id_loaded = loaded;
	}
}

static void read_arm_attributes(struct elf_info *info, Elf *elf, const Elf_Data *data)
{
	GElf_Ehdr header;
	bool big = gelf_getehdr(elf, &header) && header.e_ident[EI_DATA] == ELFDATA2MSB;

	switch (arm_profile((struct bytes){data->d_buf, data->d_size}, big)) {
	case 'A':
		info->machine_profile = "arm-a";
		break;
	case 'R':
		info->machine_profile = "arm-r";
		break;
	case 'M':
		info->machine_profile = "arm-m";
		break;
	}
}

/* Returns whether read_sections() needs the content of a section. All others can have hundreds of megabytes. */
static bool is_needed(const char *name, const GElf_Shdr *header)
{
	return !strcmp(name, ".comment") || !strcmp(name, ".debug_str") || header->sh_type == SHT_NOTE ||
	       header->sh_type == SHT_ARM_ATTRIBUTES;
}

static void read_sections(struct elf_info *info, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || header.sh_type == SHT_NOBITS)
			continue;
		if (!strcmp(name, "__llvm_covmap") && header.sh_size)
			info->coverage_mapping = true;
		data = is_needed(name, &header) ? elf_getdata(section, NULL) : NULL;
		if (!data || !data->d_buf)
			continue;
		if (!strcmp(name, ".comment") || !strcmp(name, ".debug_str"))
			read_producers(info, data);
		if (header.sh_type == SHT_NOTE)
			read_notes(info, data, header.sh_addr, header.sh_flags & SHF_ALLOC);
		if (header.sh_type == SHT_ARM_ATTRIBUTES && !strcmp(info->machine, "arm"))
			read_arm_attributes(info, elf, data);
	}
}

/*
 * Looks for the build id in PT_NOTE segments. Such a segment exists even if a linker script put the
 * note into another section.
 */
static void read_segments(struct elf_info *info, Elf *elf)
{
	size_t count;
	size_t i;

	if (elf_getphdrnum(elf, &count))
		return;
	for (i = 0; i < count && !info->build_id.size; i++) {
		GElf_Phdr header;
		Elf_Data *data;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_NOTE)
			continue;
		data = elf_getdata_rawchunk(
			elf, (int64_t)header.p_offset, header.p_filesz, header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (data && data->d_buf)
			read_notes(info, data, header.p_vaddr, true);
	}
}

void elf_examine(struct elf_info *info, void *elf)
{
	GElf_Ehdr header;

	*info = (struct elf_info){.machine = gelf_getehdr(elf, &header) ? machine_name(&header) : "unknown"};
	read_sections(info, elf);
	read_segments(info, elf);
}

static enum status read_open(struct elf_info *info, int fd, struct error *error)
{
	GElf_Ehdr header;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
		if (elf)
			elf_end(elf);
		return error_set(error, STATUS_INVALID_INPUT, "is not an ELF file");
	}
	elf_examine(info, elf);
	elf_end(elf);
	return STATUS_OK;
}

enum status elf_read(struct elf_info *info, const char *path, struct error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum status status;

	*info = (struct elf_info){0};
	if (fd < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	status = read_open(info, fd, error);
	close(fd);
	return status;
}

void elf_free(struct elf_info *info)
{
	buffer_free(&info->build_id);
}
