/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * covmap_file.c - reads the coverage mapping from an ELF file, and writes an ELF file with only
 * the mapping and the names of its functions. llvm-cov reads nothing else.
 */
#include "covmap.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const part_name[COVMAP_PARTS] = {"__llvm_prf_names", "__llvm_covmap", "__llvm_covfun"};

/* The name of the section of names if the image was compiled with -profile-correlate=binary. */
static const char correlated_names[] = "__llvm_covnames";

/* The section names of the new file. A zero byte is before the first name and after each name. */
static const char string_table[] = "\0__llvm_prf_names\0__llvm_covmap\0__llvm_covfun\0.shstrtab";

static void align(struct buffer *buffer)
{
	static const uint8_t zeros[8];

	buffer_add(buffer, zeros, -buffer->size % sizeof(zeros));
}

/*
 * Appends the contents of all sections called @name to @content. Objects from `ld -r` can have several sections with
 * one name.
 */
static void collect(Elf *elf, const char *name, struct buffer *content)
{
	Elf_Scn *section;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	for (section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		const char *found = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		bool wanted = found && header.sh_type != SHT_NOBITS && !strcmp(found, name);
		Elf_Data *data = wanted ? elf_rawdata(section, NULL) : NULL;

		if (!data || !data->d_buf)
			continue;
		align(content);
		buffer_add(content, data->d_buf, data->d_size);
	}
}

enum status covmap_open(struct covmap *covmap, const char *elf_path, struct error *error)
{
	struct covmap_function function;
	enum status status;
	GElf_Ehdr header;
	size_t at = 0;
	size_t i;

	covmap->fd = open(elf_path, O_RDONLY | O_CLOEXEC);
	if (covmap->fd < 0)
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	elf_version(EV_CURRENT);
	covmap->elf = elf_begin(covmap->fd, ELF_C_READ, NULL);
	if (!covmap->elf || !gelf_getehdr(covmap->elf, &header))
		return error_set(error, STATUS_INVALID_INPUT, "is not an ELF file");
	covmap->big = header.e_ident[EI_DATA] == ELFDATA2MSB;
	for (i = 0; i < COVMAP_PARTS; i++)
		collect(covmap->elf, part_name[i], &covmap->part[i]);
	if (!covmap->part[COVMAP_NAMES].size)
		collect(covmap->elf, correlated_names, &covmap->part[COVMAP_NAMES]);
	status = names_read(&covmap->names,
		(struct bytes){covmap->part[COVMAP_NAMES].data, covmap->part[COVMAP_NAMES].size}, error);
	if (status == STATUS_OK)
		status = covmap_read_files(covmap, error);
	while (status == STATUS_OK && covmap_next(covmap, &at, &function))
		;
	if (status == STATUS_OK && at < covmap->part[COVMAP_FUNCTIONS].size)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has a coverage mapping whose function at offset %zu is damaged", at);
	return status;
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

/* Writes @content as an ELF file with the machine, class and byte order of @like. */
static bool write_file(int fd, Elf *like, const struct buffer content[COVMAP_PARTS])
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
		header.e_shstrndx = COVMAP_PARTS + 1;
		good = gelf_update_ehdr(elf, &header);
	}
	for (i = 0; i < COVMAP_PARTS && good; i++)
		good = add_section(elf, part_name[i], SHT_PROGBITS, content[i].data, content[i].size);
	good = good && add_section(elf, ".shstrtab", SHT_STRTAB, string_table, sizeof(string_table)) &&
	       elf_update(elf, ELF_C_WRITE) >= 0;
	if (elf)
		elf_end(elf);
	return good;
}

/*
 * Appends a chunk with the new names. A section of names consists of chunks, which begin
 * with their size and packed size.
 */
static void add_new_names(const struct covmap *covmap, struct buffer *names)
{
	struct buffer text = {0};
	size_t size;
	size_t i;

	for (i = 0; i < covmap->rename_count; i++)
		buffer_printf(&text, "%s%s", i ? "\1" : "", covmap->renames[i].name);
	for (size = text.size; size > 0x7f; size >>= 7)
		buffer_add(names, (uint8_t[]){(uint8_t)(size | 0x80)}, 1);
	buffer_add(names, (uint8_t[]){(uint8_t)size, 0}, 2);
	buffer_add(names, text.data, text.size);
	buffer_free(&text);
}

enum status covmap_write(struct covmap *covmap, const char *path, struct error *error)
{
	struct buffer content[COVMAP_PARTS] = {{0}};
	enum status status = STATUS_OK;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	buffer_add(&content[COVMAP_NAMES], covmap->part[COVMAP_NAMES].data, covmap->part[COVMAP_NAMES].size);
	if (covmap->rename_count)
		add_new_names(covmap, &content[COVMAP_NAMES]);
	covmap_functions(covmap, &content[COVMAP_FUNCTIONS]);
	content[COVMAP_FILES] = covmap->new_files;
	if (fd < 0 || !write_file(fd, covmap->elf, content))
		status = error_set(error, STATUS_SYSTEM, "cannot be copied to %s: %s", path,
			fd < 0 ? strerror(errno) : elf_errmsg(-1));
	/* Set the time of the copy to 1970, because llvm-cov warns of a program that is newer than its profile. */
	if (fd >= 0 && futimens(fd, (struct timespec[2]){{0, 0}, {0, 0}}) && status == STATUS_OK)
		status = error_set(
			error, STATUS_SYSTEM, "the time of its copy %s cannot be set: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	buffer_free(&content[COVMAP_NAMES]);
	buffer_free(&content[COVMAP_FUNCTIONS]);
	return status;
}

void covmap_free(struct covmap *covmap)
{
	size_t i;

	for (i = 0; i < COVMAP_PARTS; i++)
		buffer_free(&covmap->part[i]);
	for (i = 0; i < covmap->rename_count; i++)
		free(covmap->renames[i].name);
	names_free(&covmap->names);
	buffer_free(&covmap->new_files);
	buffer_free(&covmap->text);
	free(covmap->lists);
	free(covmap->files);
	free(covmap->renames);
	if (covmap->elf) {
		elf_end(covmap->elf);
		close(covmap->fd);
	}
	*covmap = (struct covmap){0};
}
