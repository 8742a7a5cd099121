/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linux_modules.c - walks the kernel's list of modules. For each module, the kernel keeps the names and addresses of its
 * sections, for /sys/module/NAME/sections. This list is used, and not the list of profiles of the Linux port, because it
 * has all sections, among them the build id, and because it also has modules that count without the port. What it lacks
 * are the counts that the port keeps of modules that were unloaded.
 */
#include "linux_modules.h"
#include "place_check.h"

#include <inttypes.h>
#include <stdlib.h>

/* More modules, and more sections of a module, than any kernel has. */
#define MODULES_MAX  10000u
#define SECTIONS_MAX 65536u

/* Names of modules and sections are shorter. */
#define NAME_MAX_SIZE 256u

/* An address that no section has. */
#define NOWHERE 0

static const struct debug_member wanted[LINUX_MEMBERS] = {
	[LINUX_LIST_NEXT] = {.type = "list_head", .member = "next"},
	[LINUX_MODULE_LIST] = {.type = "module", .member = "list"},
	[LINUX_MODULE_NAME] = {.type = "module", .member = "name"},
	[LINUX_MODULE_SECTIONS] = {.type = "module", .member = "sect_attrs"},
	[LINUX_SECTIONS_COUNT] = {.type = "module_sect_attrs", .member = "nsections"},
	[LINUX_SECTIONS_FIRST] = {.type = "module_sect_attrs", .member = "attrs"},
	[LINUX_SECTION_ADDRESS] = {.type = "module_sect_attr", .member = "address"},
	[LINUX_SECTION_ATTRIBUTE] = {.type = "module_sect_attr", .member = "battr"},
	[LINUX_BINARY_ATTRIBUTE] = {.type = "bin_attribute", .member = "attr"},
	[LINUX_ATTRIBUTE_NAME] = {.type = "attribute", .member = "name"},
};

static uint64_t offset_of(const struct linux_modules *modules, enum linux_member member)
{
	return modules->member[member].offset;
}

enum status linux_modules_prepare(struct linux_modules *modules, const struct program *kernel, struct error *error)
{
	const struct image_symbol *list = image_symbol(&kernel->image, LINUX_MODULES);

	memcpy(modules->member, wanted, sizeof(wanted));
	if (!list)
		return error_set(
			error, STATUS_INVALID_INPUT, "has no variable '" LINUX_MODULES "', the list of a Linux kernel");
	modules->list = list->value;
	return debug_members(&kernel->image, modules->member, LINUX_MEMBERS, error);
}

/* Reads a number of @size bytes at @pointer. */
static enum status read_number(
	const struct linux_modules *modules, uint64_t pointer, unsigned int size, uint64_t *number, struct error *error)
{
	const struct image *image = &modules->kernel->program->image;
	uint8_t bytes[8];
	enum status status = placed_follow(modules->kernel, pointer, bytes, size, error);

	if (status == STATUS_OK)
		*number = load_uint(bytes, size, image->big);
	return status;
}

static enum status read_pointer(
	const struct linux_modules *modules, uint64_t pointer, uint64_t *target, struct error *error)
{
	return read_number(modules, pointer, modules->kernel->program->image.width, target, error);
}

/* Reads a name at @pointer. Reads no further than its end, because the memory after it may not exist. */
static enum status read_name(
	const struct linux_modules *modules, uint64_t pointer, char name[NAME_MAX_SIZE], struct error *error)
{
	size_t size = 0;

	while (size < NAME_MAX_SIZE) {
		size_t part = 16 - (size_t)((pointer + size) % 16);
		enum status status;

		part = part < NAME_MAX_SIZE - size ? part : NAME_MAX_SIZE - size;
		status = placed_follow(modules->kernel, pointer + size, name + size, part, error);
		if (status != STATUS_OK || memchr(name + size, '\0', part))
			return status;
		size += part;
	}
	return error_set(error, STATUS_INVALID_INPUT,
		"has a name without an end at 0x%" PRIx64 " in its list of modules: the memory was overwritten",
		pointer);
}

/* Returns the name that the kernel gives to the module @program, or NULL if it is no module of Linux. */
static const char *name_of(const struct program *program)
{
	const struct image_section *section = image_section(&program->image, ".modinfo");
	struct bytes content = section ? image_content(&program->image, section) : (struct bytes){0};
	size_t at = 0;

	/* Strings of the form KEY=VALUE. */
	while (at < content.size) {
		const char *text = (const char *)content.data + at;
		size_t size = strnlen(text, content.size - at);

		if (at + size < content.size && starts_with(text, "name="))
			return text + 5;
		at += size + 1;
	}
	return NULL;
}

/* Sets *@module to the address of the struct module with the name @name. */
static enum status find_module(
	const struct linux_modules *modules, const char *name, uint64_t *module, struct error *error)
{
	uint64_t head = placed_address(modules->kernel, modules->list);
	uint64_t node = head;
	uint64_t mark = head;
	unsigned int i;

	for (i = 0; i < MODULES_MAX; i++) {
		char other[NAME_MAX_SIZE];
		enum status status = read_pointer(modules, node + offset_of(modules, LINUX_LIST_NEXT), &node, error);

		if (status == STATUS_OK && node == head)
			return error_set(error, STATUS_INVALID_INPUT,
				"has not loaded the module %s: give only modules that are loaded with --elf", name);
		*module = node - offset_of(modules, LINUX_MODULE_LIST);
		if (status == STATUS_OK)
			status = read_name(modules, *module + offset_of(modules, LINUX_MODULE_NAME), other, error);
		if (status != STATUS_OK || !strcmp(name, other))
			return status;
		/* The mark moves on to nodes 1, 2, 4, and so on. A list that never ends comes back to it early. */
		if (node == mark)
			break;
		if (!(i & (i + 1)))
			mark = node;
	}
	return error_set(error, STATUS_INVALID_INPUT,
		"has a list of more than %u modules, or one that never ends: the memory was overwritten, or it changed "
		"while it was read",
		MODULES_MAX);
}

/* Stores @address for the first section with the name @name that has no address yet. Empty sections are not listed. */
static void set_address(struct placed *placed, const char *name, uint64_t address)
{
	const struct image *image = &placed->program->image;
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];

		if (!section->allocated || !section->size || placed->section_at[i] != NOWHERE ||
			strcmp(section->name, name))
			continue;
		placed->section_at[i] = address;
		return;
	}
}

static enum status read_sections(
	const struct linux_modules *modules, struct placed *placed, uint64_t list, struct error *error)
{
	uint64_t size = modules->member[LINUX_SECTION_ADDRESS].size;
	uint64_t section = list + offset_of(modules, LINUX_SECTIONS_FIRST);
	uint64_t count = 0;
	enum status status = read_number(modules, list + offset_of(modules, LINUX_SECTIONS_COUNT), 4, &count, error);

	if (status == STATUS_OK && count > SECTIONS_MAX)
		return error_set(error, STATUS_INVALID_INPUT,
			"claims %" PRIu64 " sections for the module %s: the memory was overwritten", count,
			placed->program->path);
	for (; count && status == STATUS_OK; count--, section += size) {
		uint64_t attribute = section + offset_of(modules, LINUX_SECTION_ATTRIBUTE) +
		                     offset_of(modules, LINUX_BINARY_ATTRIBUTE) +
		                     offset_of(modules, LINUX_ATTRIBUTE_NAME);
		char name[NAME_MAX_SIZE];
		uint64_t address = 0;
		uint64_t text = 0;

		status = read_pointer(modules, section + offset_of(modules, LINUX_SECTION_ADDRESS), &address, error);
		if (status == STATUS_OK)
			status = read_pointer(modules, attribute, &text, error);
		if (status == STATUS_OK)
			status = read_name(modules, text, name, error);
		if (status == STATUS_OK)
			set_address(placed, name, address);
	}
	return status;
}

/* Sets placed->section_at. */
static enum status find_sections(const struct linux_modules *modules, struct placed *placed, struct error *error)
{
	const char *name = name_of(placed->program);
	uint64_t module = 0;
	uint64_t list = 0;
	enum status status;

	if (!name)
		return error_set(error, STATUS_INVALID_INPUT,
			"cannot have the program %s: it is an object file, and no module of Linux",
			placed->program->path);
	status = find_module(modules, name, &module, error);
	if (status == STATUS_OK)
		status = read_pointer(modules, module + offset_of(modules, LINUX_MODULE_SECTIONS), &list, error);
	if (status == STATUS_OK && !list)
		return error_set(error, STATUS_INVALID_INPUT,
			"does not know the sections of the module %s: build the kernel with CONFIG_KALLSYMS=y", name);
	return status == STATUS_OK ? read_sections(modules, placed, list, error) : status;
}

/* Checks that the kernel lists the section of the counters. */
static enum status check_sections(const struct placed *placed, struct error *error)
{
	const struct program *program = placed->program;
	const struct elf_section_copy *counters = &program->section[BAREPROF_CNTS];

	if (!counters->size || placed_address(placed, counters->address) != NOWHERE)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"does not list the section __llvm_prf_cnts of the module %s: the memory was overwritten, or "
		"another build of the module is loaded",
		program->path);
}

enum status linux_module_place(
	const struct linux_modules *modules, struct placed *placed, struct program *program, struct error *error)
{
	bool stamped = program->build_id.size && program->build_id_loaded;
	bool same = true;
	enum status status;

	*placed = (struct placed){.program = program, .memory = modules->kernel->memory, .slide_known = true};
	placed->section_at = allocate(program->image.section_count, sizeof(*placed->section_at));
	status = find_sections(modules, placed, error);
	if (status == STATUS_OK && stamped)
		status = place_has_build_id(placed, &same, error);
	placed->proven = status == STATUS_OK && stamped && same;
	if (status != STATUS_OK || same)
		return status == STATUS_OK ? check_sections(placed, error) : status;
	return error_set(error, STATUS_INVALID_INPUT,
		"has loaded another build of the module %s: its build id is not that of the ELF file; give "
		"the file that is loaded",
		program->path);
}
