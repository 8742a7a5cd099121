/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes_code.c - prints the machine code of an image with its probes. The lines of probes are, to the letter, those of
 * `llvm-profgen --show-disassembly-only --show-pseudo-probe`, so that tools for its output read this output too.
 */
#include "disassembler.h"
#include "probes_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct listing {
	const struct probe_view *view;
	const struct image *image;
	const struct image_symbol **functions; /* by address */
	size_t count;
	struct disassembler disassembler;
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
	const cs_insn *instruction = listing->disassembler.instruction;
	uint64_t address = function->value;

	while (disassembler_next(&listing->disassembler, function->thumb, &code, &address)) {
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
	struct listing listing = {.view = view, .image = image};
	size_t shown = 0;
	size_t i;

	disassembler_open(&listing.disassembler, image, false);
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
	disassembler_close(&listing.disassembler);
	buffer_free(&listing.out);
	free(listing.functions);
	return shown;
}
