// SPDX-License-Identifier: BSD-2-Clause
/*
 * map.c - writes the raw bytes and the map record of a function.
 *
 * Each section of code has a raw section and a map section of its own. The linker drops them together with the code:
 * the raw section because only the code refers to it, and the map section because of its flag "o" (SHF_LINK_ORDER). A
 * function in a COMDAT group has both in the same group.
 */
#include "assembly.h"

static const char *raw_section(const struct assembly *assembly)
{
	return assembly->options->mode == REWRITE_CALLS ? BAREPROF_MIP_SECTION_CALLS : BAREPROF_MIP_SECTION_COVERAGE;
}

static unsigned int start_value(const struct assembly *assembly)
{
	if (assembly->options->mode == REWRITE_CALLS)
		return BAREPROF_MIP_CALLS_START;
	return assembly->target == REWRITE_AARCH64 ? BAREPROF_MIP_COVERAGE_START_AARCH64 : BAREPROF_MIP_COVERAGE_START;
}

/* An address in a map record has 8 bytes on all targets. */
static void add_address(const struct assembly *assembly, struct buffer *result, const char *label, size_t number)
{
	if (assembly->target == REWRITE_ARM)
		add_line(result, ".4byte .Lbareprof_%s_%zu, 0", label, number);
	else
		add_line(result, ".8byte .Lbareprof_%s_%zu", label, number);
}

/*
 * The name of a symbol that is not quoted has no characters that must be escaped. In quotes, they are already escaped.
 * 
 */
static uint32_t name_size(struct bytes name)
{
	uint32_t size = 0;
	size_t i;

	for (i = 0; i < name.size; i++, size++)
		if (name.data[i] == '\\' && i + 1 < name.size)
			i++;
	return size;
}

static void add_raw(const struct assembly *assembly, size_t index, struct buffer *result)
{
	const struct function *function = &assembly->functions[index];
	const struct section *section = &assembly->sections[function->section];
	unsigned int start = start_value(assembly);
	const char *type = start ? "progbits" : "nobits";

	if (section->group.size)
		add_line(result, ".pushsection %s,\"awG\",%%%s,%.*s,comdat", raw_section(assembly), type,
			(int)section->group.size, (const char *)section->group.data);
	else
		add_line(result, ".pushsection %s,\"aw\",%%%s,unique,%u", raw_section(assembly), type,
			(unsigned int)function->section + 1);
	if (assembly->options->mode == REWRITE_CALLS)
		add_line(result, ".balign %u", assembly->options->sample ? 8 : 4);
	else if (odd_byte(assembly, function))
		add_line(result, ".balign 2");
	if (assembly->options->mode != REWRITE_CALLS && odd_byte(assembly, function))
		add_line(result, ".zero 1");
	add_line(result, ".Lbareprof_raw_%zu:", index);
	if (assembly->options->mode == REWRITE_CALLS)
		add_line(result, ".4byte 0x%x, 0x%x%s", 0xffffffffu, BAREPROF_MIP_ORDER_NONE,
			assembly->options->sample ? ", 0xffffffff, 0xffffffff" : "");
	else if (start)
		add_line(result, ".byte 0x%x", start);
	else
		add_line(result, ".zero 1");
	add_line(result, ".popsection");
}

static void add_map_section(const struct assembly *assembly, size_t index, struct buffer *result)
{
	const struct function *function = &assembly->functions[index];
	const struct section *section = &assembly->sections[function->section];

	if (section->group.size)
		add_line(result, ".pushsection %s,\"G\",%%progbits,%.*s,comdat", BAREPROF_MIP_SECTION_MAP,
			(int)section->group.size, (const char *)section->group.data);
	else
		add_line(result, ".pushsection %s,\"o\",%%progbits,.Lbareprof_begin_%zu,unique,%u",
			BAREPROF_MIP_SECTION_MAP, section->first, (unsigned int)function->section + 1);
}

void map_add(const struct assembly *assembly, size_t index, struct buffer *result)
{
	const struct function *function = &assembly->functions[index];
	bool calls = assembly->options->mode == REWRITE_CALLS;
	unsigned int kinds = calls ? BAREPROF_MIP_KIND_CALLS : BAREPROF_MIP_KIND_COVERAGE;
	uint32_t size = name_size(function->name);
	uint32_t padding = -(BAREPROF_MIP_MAP_NAME + size) % 8;

	if (assembly->options->sample)
		kinds |= BAREPROF_MIP_KIND_RETURNS;
	if (!function->reason)
		add_raw(assembly, index, result);
	add_map_section(assembly, index, result);
	add_line(result, ".balign 8");
	add_line(result, ".4byte 0x%x", BAREPROF_MIP_MAGIC);
	add_line(result, ".2byte %u, %u", BAREPROF_MIP_V9, BAREPROF_MIP_TYPE_MAP);
	add_line(result, ".4byte %u", BAREPROF_MIP_MAP_NAME + size + padding);
	add_line(result, ".2byte %u", function->reason ? 0 : kinds);
	add_line(result, ".byte %u, %u", (unsigned int)function->reason, function->reason ? 0 : start_value(assembly));
	if (function->reason)
		add_line(result, ".4byte 0, 0");
	else
		add_address(assembly, result, "raw", index);
	add_address(assembly, result, "begin", index);
	add_line(result, ".4byte .Lbareprof_end_%zu-.Lbareprof_begin_%zu", index, index);
	add_line(result, ".4byte %u", size);
	add_line(result, ".ascii \"%.*s\"", (int)function->name.size, (const char *)function->name.data);
	if (padding)
		add_line(result, ".zero %u", padding);
	add_line(result, ".popsection");
}

void map_add_period(const struct assembly *assembly, struct buffer *result)
{
	unsigned int shift = 31;
	uint32_t sample;

	for (sample = assembly->options->sample; sample > 1; sample /= 2)
		shift--;
	add_line(result,
		".pushsection .rodata." BAREPROF_MIP_PERIOD ",\"aG\",%%progbits," BAREPROF_MIP_PERIOD ",comdat");
	add_line(result, ".weak " BAREPROF_MIP_PERIOD);
	add_line(result, ".hidden " BAREPROF_MIP_PERIOD);
	add_line(result, BAREPROF_MIP_PERIOD ":");
	add_line(result, ".byte %u", shift);
	add_line(result, ".popsection");
}
