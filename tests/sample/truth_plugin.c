/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * truth_plugin.c - a plugin for QEMU that counts how often a guest runs each instruction, from one point of its run to
 * another.
 *
 *   qemu-system-ARCH -plugin truth_plugin.so,begin=ADDRESS,end=ADDRESS,out=FILE ...
 *
 * The plugin begins to count when the guest runs the instruction at the address "begin" for the first time, and writes
 * FILE when it runs the instruction at "end" for the first time. All addresses are hexadecimal, without the Thumb bit.
 * Each line of FILE is the address of an instruction that ran, and the number of its runs. The plugin is for one CPU.
 */
#include "../mip/qemu_plugin_abi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS (1u << 18)

struct instruction {
	uint64_t address, runs;
	struct instruction *next;
};

/* Instructions that QEMU translated together, so that they run one after the other. */
struct block {
	uint64_t runs;
	size_t count;
	struct block *next;
	struct instruction *instructions[];
};

int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

static struct instruction *buckets[BUCKETS];
static struct block *blocks;
static const char *out;
static uint64_t begin, end;
static int begun, ended;

static struct instruction *find(uint64_t address)
{
	struct instruction **bucket = &buckets[(address ^ address >> 18) % BUCKETS];
	struct instruction *found = *bucket;

	while (found && found->address != address)
		found = found->next;
	if (!found) {
		found = calloc(1, sizeof(*found));
		if (!found)
			abort();
		found->address = address;
		found->next = *bucket;
		*bucket = found;
	}
	return found;
}

static void reached_begin(unsigned int cpu, void *context)
{
	struct block *block;

	(void)cpu;
	(void)context;
	if (begun++)
		return;
	for (block = blocks; block; block = block->next)
		block->runs = 0;
}

static void reached_end(unsigned int cpu, void *context)
{
	struct block *block;
	FILE *file;
	size_t i;

	(void)cpu;
	(void)context;
	if (!begun || ended++)
		return;
	file = fopen(out, "w");
	if (!file) {
		perror(out);
		return;
	}
	for (block = blocks; block; block = block->next)
		for (i = 0; i < block->count; i++)
			block->instructions[i]->runs += block->runs;
	for (i = 0; i < BUCKETS; i++) {
		const struct instruction *instruction;

		for (instruction = buckets[i]; instruction; instruction = instruction->next)
			if (instruction->runs)
				fprintf(file, "%" PRIx64 " %" PRIu64 "\n", instruction->address, instruction->runs);
	}
	if (fclose(file))
		perror(out);
}

static void translated(uint64_t plugin, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *block = calloc(1, sizeof(*block) + n * sizeof(*block->instructions));
	size_t i;

	(void)plugin;
	if (!block)
		abort();
	block->count = n;
	block->next = blocks;
	blocks = block;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		block->instructions[i] = find(address);
		if (address == begin)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_begin, QEMU_PLUGIN_NO_REGISTERS, NULL);
		if (address == end)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_end, QEMU_PLUGIN_NO_REGISTERS, NULL);
	}
	qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_ADD_TO_U64, &block->runs, 1);
}

int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
		else if (!strncmp(argv[i], "begin=", 6))
			begin = strtoull(argv[i] + 6, NULL, 16);
		else if (!strncmp(argv[i], "end=", 4))
			end = strtoull(argv[i] + 4, NULL, 16);
	}
	if (!out || !begin || !end) {
		fprintf(stderr, "truth_plugin: pass begin=ADDRESS,end=ADDRESS,out=FILE\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
	return 0;
}
