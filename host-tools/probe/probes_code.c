/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes_code.c - prints the machine code of an image with its probes. The lines of probes are, to the letter, those of
 * `llvm-profgen --show-disassembly-only --show-pseudo-probe`, so that tools for its output read this output too.
 */
#include "probes_print.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct listing {
	const struct probe_view *view;
	const struct image *image;
	const struct image_symbol **functions; /* by address */
	size_t count;
	csh main; /* 0: capstone does not know the machine, so only addresses of probes are printed */
	csh thumb;
	cs_insn *instruction;
	size_t next; /* index of the next probe to print */
	struct buffer out;
};

static int compare_functions(const void *left, const void *right)
{
	const struct image_symbol *a = *(const struct image_symbol *const *)left;
	const struct image_symbol *b = *(const struct image_symbol *const *)right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a < b ? -1 : a > b;
}

static csh open_machine(const struct image *image, bool thumb)
{
	int order = image->big ? (int)CS_MODE_BIG_ENDIAN : 0;
	csh handle = 0;
	cs_err error;

	switch (image->machine) {
	case EM_X86_64:
		error = cs_open(CS_ARCH_X86, CS_MODE_64, &handle);
		break;
	case EM_386:
		error = cs_open(CS_ARCH_X86, CS_MODE_32, &handle);
		break;
	case EM_AARCH64:
		error = cs_open(CS_ARCH_ARM64, (cs_mode)order, &handle);
		break;
	case EM_ARM:
		/* Only the M-profile has all instructions that compilers use in Thumb code. */
		error = cs_open(CS_ARCH_ARM,
			(cs_mode)(order | (int)CS_MODE_V8 | (thumb ? CS_MODE_THUMB | CS_MODE_MCLASS : 0)), &handle);
		break;
	default:
		return 0;
	}
	/* Data between the instructions is printed as bytes. */
	if (error || cs_option(handle, CS_OPT_SKIPDATA, CS_OPT_ON))
		die_of_memory();
	return handle;
}

static void find_functions(struct listing *listing)
{
	const struct image *image = listing->image;
	size_t i;

	listing->functions = allocate(image->symbol_count + 1, sizeof(*listing->functions));
	for (i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].function && image->symbols[i].section)
			listing->functions[listing->count++] = &image->symbols[i];
	if (listing->count)
		qsort(listing->functions, listing->count, sizeof(*listing->functions), compare_functions);
}

/* LLVM ends the line with two blanks if the function was not inlined, and with the chain of calls if it was. */
static void add_probe(struct listing *listing, const struct probe *probe)
{
	struct bytes name = probe_view_linkage(listing->view, probe->node);
	struct buffer *out = &listing->out;

	buffer_add_text(out, " [Probe]:\tFUNC: ");
	if (name.size)
		buffer_add(out, name.data, name.size);
	else
		probe_view_name(listing->view, probe->node, out);
	buffer_printf(out, " Index: %" PRIu32 "  ", probe->index);
	if (probe->discriminator)
		buffer_printf(out, "Discriminator: %" PRIu32 "  ", probe->discriminator);
	buffer_printf(out, "Type: %s  ", probe_type_name(probe->type));
	if (listing->view->probes->nodes[probe->node].parent != PROBE_NO_PARENT) {
		buffer_add_text(out, "Inlined:");
		probe_view_chain(listing->view, probe->node, out);
	}
	buffer_add(out, "\n", 1);
}

static void add_probes_to(struct listing *listing, uint64_t address)
{
	const struct probes *probes = listing->view->probes;

	while (listing->next < probes->count && probes->probes[listing->next].address <= address)
		add_probe(listing, &probes->probes[listing->next++]);
}

static void add_code(struct listing *listing, const struct image_symbol *function, struct bytes code)
{
	csh handle = function->thumb ? listing->thumb : listing->main;
	uint64_t address = function->value;
	cs_insn *instruction = listing->instruction;

	while (handle && cs_disasm_iter(handle, &code.data, &code.size, &address, instruction)) {
		add_probes_to(listing, instruction->address);
		buffer_printf(&listing->out, "%8" PRIx64 ":\t%s\t%s\n", instruction->address, instruction->mnemonic,
			instruction->op_str);
	}
}

/* Returns the bytes from @function to the next function, or to the end of its section. */
static struct bytes code_of(const struct listing *listing, size_t index)
{
	const struct image_symbol *function = listing->functions[index];
	const struct image_section *section = image_where(listing->image, function->value, 1);
	struct bytes result = {NULL, 0};
	uint64_t end;

	if (!section)
		return result;
	end = section->address + section->size;
	if (index + 1 < listing->count && listing->functions[index + 1]->value < end)
		end = listing->functions[index + 1]->value;
	if (!bytes_slice(image_content(listing->image, section), function->value - section->address,
		    end - function->value, &result))
		result.size = 0;
	return result;
}

static bool matches(const char *name, const regex_t *regex)
{
	return !regex || !regexec(regex, name, 0, NULL, 0);
}

size_t probes_print_code(const struct probe_view *view, const struct image *image, const regex_t *regex)
{
	struct listing listing = {.view = view, .image = image, .main = open_machine(image, false)};
	size_t shown = 0;
	size_t i;

	if (image->machine == EM_ARM)
		listing.thumb = open_machine(image, true);
	if (listing.main)
		listing.instruction = cs_malloc(listing.main);
	find_functions(&listing);
	for (i = 0; i < listing.count; i++) {
		const struct image_symbol *function = listing.functions[i];
		struct bytes code = code_of(&listing, i);

		if (!matches(function->name, regex))
			continue;
		shown++;
		buffer_printf(&listing.out, "<%s>:\n", function->name);
		listing.next = probes_at(view->probes, function->value);
		add_code(&listing, function, code);
		if (code.size)
			buffer_add(&listing.out, "\n", 1);
		fwrite(listing.out.data, 1, listing.out.size, stdout);
		listing.out.size = 0;
	}
	if (listing.main) {
		cs_free(listing.instruction, 1);
		cs_close(&listing.main);
	}
	if (listing.thumb)
		cs_close(&listing.thumb);
	buffer_free(&listing.out);
	free(listing.functions);
	return shown;
}
