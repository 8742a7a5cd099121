// SPDX-License-Identifier: BSD-2-Clause
/*
 * target.c - finds out for which processor a compiler wrote assembly text.
 */
#include "assembly.h"

#include <stdlib.h>

#define HINT_WITHOUT "; compile this file without bareprof mip"

/* Returns whether @text contains @word where a word begins. */
static bool contains(struct bytes text, const char *word)
{
	size_t size = strlen(word);
	const uint8_t *found = text.data;

	if (!text.size)
		return false;
	while ((found = memmem(found, (size_t)(text.data + text.size - found), word, size)) != NULL) {
		if (found == text.data || strchr(" \t\n,(", found[-1]))
			return true;
		found++;
	}
	return false;
}

/* `mip cc` names the processor, so only `mip as` may need this guess. */
static enum rewrite_target guess(struct bytes text)
{
	static const char *const x86[] = {"%r", "%e", "retq", ".intel_syntax"};
	static const char *const aarch64[] = {
		".arch\tarmv8", ".arch armv8", ".arch armv9", ".xword", "x30", "w0", "//"};
	static const char *const others[] = {".attribute", ".option", ".machine", ".abiversion", ".set\tnoreorder"};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (contains(text, others[i]))
			return REWRITE_ANY;
	if (contains(text, ".eabi_attribute") || contains(text, ".syntax"))
		return REWRITE_ARM;
	for (i = 0; i < sizeof(x86) / sizeof(x86[0]); i++)
		if (contains(text, x86[i]))
			return REWRITE_X86_64;
	for (i = 0; i < sizeof(aarch64) / sizeof(aarch64[0]); i++)
		if (contains(text, aarch64[i]))
			return REWRITE_AARCH64;
	/* A function that only returns: gcc for x86 writes its type in this way. */
	return contains(text, "@function") ? REWRITE_X86_64 : REWRITE_ANY;
}

enum status target_find(struct assembly *assembly, struct bytes text, struct error *error)
{
	if (contains(text, ".subsections_via_symbols") || contains(text, ".def\t"))
		return reject(assembly, 0, error, "the compiler did not write ELF; bareprof mip supports only ELF");
	assembly->target = assembly->options->target;
	if (assembly->target == REWRITE_BIG_ENDIAN && (contains(text, "@function") || contains(text, "%function")))
		return reject(assembly, 0, error,
			"this is big-endian code, which bareprof mip does not support" HINT_WITHOUT);
	/* Many words are the same in 32-bit and 64-bit code of x86, but the name of the stack pointer differs. */
	if ((assembly->target == REWRITE_ANY || assembly->target == REWRITE_X86_64) &&
		(contains(text, "%esp") || contains(text, "pushl")) && !contains(text, "%rsp"))
		return reject(assembly, 0, error,
			"this is 32-bit code of x86, which bareprof mip does not support" HINT_WITHOUT);
	if (assembly->target == REWRITE_ANY)
		assembly->target = guess(text);
	if (assembly->target == REWRITE_ANY && (contains(text, "@function") || contains(text, "%function")))
		return reject(assembly, 0, error,
			"the processor is unknown; bareprof mip supports x86_64, AArch64 and Arm" HINT_WITHOUT);
	return STATUS_OK;
}

/* The values of Tag_CPU_arch, which the ABI of Arm defines. */
enum {
	ARCH_V6T2 = 8,
	ARCH_V7 = 10,
	ARCH_V7E_M = 13,
	ARCH_V8_A = 14,
	ARCH_V8_M_BASE = 16,
};

static bool is_wide(unsigned long arch)
{
	return arch == ARCH_V6T2 || arch == ARCH_V7 || arch == ARCH_V7E_M ||
	       (arch >= ARCH_V8_A && arch != ARCH_V8_M_BASE);
}

/* Reads a name as in ".arch armv8.1-m.main+mve". */
static void read_arch(struct assembly *assembly, struct bytes name)
{
	char text[64] = "";
	unsigned long version;
	char *end;

	memcpy(text, name.data, name.size < sizeof(text) ? name.size : sizeof(text) - 1);
	if (!starts_with(text, "armv"))
		return;
	version = strtoul(text + strlen("armv"), &end, 10);
	assembly->m_profile = strstr(end, "-m") != NULL;
	assembly->wide = (version >= 7 && !strstr(end, "m.base")) || starts_with(end, "t2");
}

/* gcc names the architecture, and clang writes its number and its profile as attributes. */
enum status target_read_arm(struct assembly *assembly, struct error *error)
{
	bool found = false, secure = false;
	size_t i;

	for (i = 0; i < assembly->line_count; i++) {
		const struct line *line = &assembly->lines[i];
		struct bytes operands = line->operands;
		struct bytes tag, value;

		secure |= bytes_begin(line->label, "__acle_se_");
		if (line->by_user)
			continue;
		if (line_is(line, ".arch") && !found) {
			read_arch(assembly, operands);
			found = true;
		}
		if (!line_is(line, ".eabi_attribute") || !next_word(&operands, &tag) || !next_word(&operands, &value))
			continue;
		if (bytes_are(tag, "6")) {
			assembly->wide = is_wide(strtoul((const char *)value.data, NULL, 10));
			found = true;
		}
		if (bytes_are(tag, "7"))
			assembly->m_profile = bytes_are(value, "77");
	}
	assembly->odd_return = assembly->m_profile && !secure;
	if (!found)
		return reject(assembly, 0, error, "the text does not name its Arm architecture" HINT_WITHOUT);
	return STATUS_OK;
}
