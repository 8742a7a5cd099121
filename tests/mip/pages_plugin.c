/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages_plugin.c - a plugin for QEMU that counts from outside in which 4-KiB pages a guest executes instructions.
 *
 *   qemu-ARCH -plugin pages_plugin.so,start=ADDRESS,end=ADDRESS,stop=ADDRESS,out=FILE[,functions=LIST] PROGRAM
 *
 * The pages are those from the address "start" up to but not including "end". When the guest executes the instruction
 * at the address "stop" for the first time, the plugin writes FILE and counts nothing more. All addresses are
 * hexadecimal, without the Thumb bit. Each line of FILE is the address of a page. If the guest never executes the
 * instruction, there is no FILE.
 *
 * Each line of LIST has the address and the name of a function. Then FILE.order has the names of the functions that the
 * guest entered, in the order of first entries.
 */
#include "qemu_plugin_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

struct function {
	uint64_t address;
	uint64_t order; /* 0: not entered yet */
	char name[256];
};

int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

static uint64_t start, end, stop;
static const char *out;
static uint64_t *executed; /* for each page, the number of executed instructions that QEMU translated together */
static struct function *functions;
static size_t number_of_functions;
static uint64_t entries;
static int stopped;

static int compare_addresses(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static int compare_orders(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

static void entered(unsigned int cpu, void *context)
{
	struct function *function = context;

	(void)cpu;
	if (!stopped && !function->order)
		function->order = __atomic_add_fetch(&entries, 1, __ATOMIC_SEQ_CST);
}

static void write_order(void)
{
	char path[4096];
	FILE *file;
	size_t i;

	snprintf(path, sizeof(path), "%s.order", out);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		return;
	}
	qsort(functions, number_of_functions, sizeof(*functions), compare_orders);
	for (i = 0; i < number_of_functions; i++)
		if (functions[i].order)
			fprintf(file, "%s\n", functions[i].name);
	fclose(file);
}

static void reached_stop(unsigned int cpu, void *context)
{
	FILE *file;
	uint64_t i;

	(void)cpu;
	(void)context;
	if (__atomic_exchange_n(&stopped, 1, __ATOMIC_SEQ_CST))
		return;
	file = fopen(out, "w");
	if (!file) {
		perror(out);
		return;
	}
	for (i = 0; i <= (end - 1) / PAGE - start / PAGE; i++)
		if (executed[i])
			fprintf(file, "%llx\n", (unsigned long long)((start / PAGE + i) * PAGE));
	if (fclose(file))
		perror(out);
}

static void translated(uint64_t plugin, struct qemu_plugin_tb *block)
{
	size_t i, n = qemu_plugin_tb_n_insns(block);
	uint64_t before = 0;

	(void)plugin;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		struct function key = {.address = qemu_plugin_insn_vaddr(insn)}, *function;

		if (key.address == stop)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_stop, QEMU_PLUGIN_NO_REGISTERS, NULL);
		if (key.address < start || key.address >= end)
			continue;
		/* One instruction of each page is enough. */
		if (!before || before / PAGE != key.address / PAGE)
			qemu_plugin_register_vcpu_insn_exec_inline(
				insn, QEMU_PLUGIN_ADD_TO_U64, &executed[key.address / PAGE - start / PAGE], 1);
		before = key.address;
		function =
			stopped ? NULL : bsearch(&key, functions, number_of_functions, sizeof(key), compare_addresses);
		if (function)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, entered, QEMU_PLUGIN_NO_REGISTERS, function);
	}
}

/* QEMU may still call entered() after the plugin has stopped, so only the end of QEMU sorts the functions. */
static void ended(uint64_t plugin, void *context)
{
	(void)plugin;
	(void)context;
	if (stopped && functions)
		write_order();
}

static int read_list(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long long address;
	char name[256];

	if (!file) {
		perror(path);
		return -1;
	}
	while (fscanf(file, "%llx %255s", &address, name) == 2) {
		struct function function = {.address = address};

		memcpy(function.name, name, sizeof(name));
		if (!(number_of_functions & (number_of_functions + 1)))
			functions = realloc(functions, (number_of_functions + 1) * 2 * sizeof(*functions));
		if (!functions)
			return -1;
		functions[number_of_functions++] = function;
	}
	fclose(file);
	qsort(functions, number_of_functions, sizeof(*functions), compare_addresses);
	return 0;
}

int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv)
{
	const char *list = NULL;
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "functions=", 10))
			list = argv[i] + 10;
		else if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
		else if (!strncmp(argv[i], "start=", 6))
			start = strtoull(argv[i] + 6, NULL, 16);
		else if (!strncmp(argv[i], "end=", 4))
			end = strtoull(argv[i] + 4, NULL, 16);
		else if (!strncmp(argv[i], "stop=", 5))
			stop = strtoull(argv[i] + 5, NULL, 16);
	}
	if (end > start)
		executed = calloc((end - 1) / PAGE - start / PAGE + 1, sizeof(*executed));
	if (!out || !executed || (list && read_list(list))) {
		fprintf(stderr, "pages_plugin: pass start=ADDRESS,end=ADDRESS,stop=ADDRESS,out=FILE\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
	qemu_plugin_register_atexit_cb(plugin, ended, NULL);
	return 0;
}
