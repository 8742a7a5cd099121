/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.c - fuzzes pseudo probes. An input is an ELF file. If its probes can be read, they must be sorted, and each
 * must belong to a chain of calls that ends.
 */
#include "probes.h"
#include "fuzz.h"

#include <elf.h>

static void check_nodes(const struct probes *probes)
{
	size_t i;

	for (i = 0; i < probes->node_count; i++) {
		uint32_t parent = probes->nodes[i].parent;

		must(parent == PROBE_NO_PARENT || parent < i, "a function comes before the functions inlined into it");
	}
}

static void check_probes(const struct probes *probes)
{
	static uint32_t chain[PROBE_DEPTH_MAX];
	size_t i;

	for (i = 0; i < probes->count; i++) {
		const struct probe *probe = &probes->probes[i];
		size_t depth;

		must(probe->node < probes->node_count, "a probe belongs to a node");
		must(!i || probe[-1].address <= probe->address, "probes are sorted by address");
		must(probe->type < PROBE_TYPES && probe->index, "a probe has a type and an index");
		must(probe->attributes <= PROBE_ATTRIBUTE_MASK, "a probe has only attributes of the file");
		if (i % 64)
			continue;
		depth = probe_chain(probes, probe->node, chain);
		must(depth && depth <= PROBE_DEPTH_MAX && chain[depth - 1] == probe->node, "a chain ends at its probe");
		must(probes_at(probes, probe->address) <= i, "a probe is found by its address");
		probe_name(probes, probes->nodes[chain[0]].guid);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image image;
	struct probes probes;
	struct error error = {""};

	if (!size)
		return 0;
	if (image_open(&image, in_memory((struct bytes){data, size}), &error) == STATUS_OK) {
		enum status status = probes_read(&probes, &image, &error);

		if (status == STATUS_OK) {
			check_nodes(&probes);
			check_probes(&probes);
		} else {
			must(error.text[0], "a refusal has a reason");
		}
		probes_free(&probes);
	} else {
		must(error.text[0], "a refusal has a reason");
	}
	image_close(&image);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};

	if (size < sizeof(Elf64_Ehdr))
		return LLVMFuzzerMutate(data, size, most);
	change_elf(data, size, &dice);
	return size;
}
