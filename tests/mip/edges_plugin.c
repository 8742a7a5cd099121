/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edges_plugin.c - a plugin for QEMU that counts from outside from where each function of a guest is called.
 *
 *   qemu-ARCH -plugin edges_plugin.so,functions=LIST,out=FILE PROGRAM
 *
 * Each line of LIST starts with the address of a function in hexadecimal, without the Thumb bit. At the end, each line
 * of FILE has the address of a function, the address after the instruction that was executed before the function, and
 * the number of times.
 *
 * A call ends one translated block and starts another, so the plugin needs only the ends of blocks. It knows one
 * thread. The guest must have no tail calls, because a jump is no call site.
 */
#include "qemu_plugin_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
	uint64_t start, end;
	int is_function;
};

struct edge {
	uint64_t callee, site, count;
};

int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

static uint64_t functions[4096];
static size_t number_of_functions;
static struct edge edges[4096];
static size_t number_of_edges;
static const struct block *before;
static const char *out;

static void executed(unsigned int cpu, void *context)
{
	const struct block *block = context;
	uint64_t site = before ? before->end : 0;
	size_t i;

	(void)cpu;
	before = block;
	if (!block->is_function)
		return;
	for (i = 0; i < number_of_edges; i++)
		if (edges[i].callee == block->start && edges[i].site == site)
			break;
	if (i == sizeof(edges) / sizeof(edges[0]))
		abort();
	if (i == number_of_edges)
		edges[number_of_edges++] = (struct edge){block->start, site, 0};
	edges[i].count++;
}

static void translated(uint64_t plugin, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, n - 1);
	struct block *block = calloc(1, sizeof(*block)); /* is needed until the guest ends */

	(void)plugin;
	if (!block)
		abort();
	block->start = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
	block->end = qemu_plugin_insn_vaddr(last) + qemu_plugin_insn_size(last);
	for (i = 0; i < number_of_functions; i++)
		block->is_function |= functions[i] == block->start;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, QEMU_PLUGIN_NO_REGISTERS, block);
}

static void ended(uint64_t plugin, void *context)
{
	FILE *file = fopen(out, "w");
	size_t i;

	(void)plugin;
	(void)context;
	if (!file)
		abort();
	for (i = 0; i < number_of_edges; i++)
		fprintf(file, "%llx %llx %llu\n", (unsigned long long)edges[i].callee,
			(unsigned long long)edges[i].site, (unsigned long long)edges[i].count);
	if (fclose(file))
		abort();
}

int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv)
{
	FILE *file = NULL;
	char line[4096];
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "functions=", 10))
			file = fopen(argv[i] + 10, "r");
		else if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
	}
	if (!file || !out)
		return -1;
	while (number_of_functions < sizeof(functions) / sizeof(functions[0]) && fgets(line, sizeof(line), file))
		functions[number_of_functions++] = strtoull(line, NULL, 16);
	fclose(file);
	qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
	qemu_plugin_register_atexit_cb(plugin, ended, NULL);
	return 0;
}
