/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oracle_plugin.c - a plugin for QEMU that counts from outside how often each function of a guest is entered.
 *
 *   qemu-ARCH -plugin oracle_plugin.so,functions=LIST,out=FILE[,except=RANGES][,stop=ADDRESS] PROGRAM
 *
 * Each line of LIST starts with the address of a function in hexadecimal, without the Thumb bit. Each line of RANGES
 * has two addresses. Instructions from the first address up to but not including the second are not counted. When the
 * guest executes the instruction at ADDRESS, the plugin stops counting entries. This is for guests that go on after a
 * dump. At the end, each line
 * of FILE has the address, the number of entries, the position in the order of first entries (0: never entered), and
 * the number of instructions that the guest had executed at the first entry. The last line of FILE has the word
 * "total" and the number of all instructions.
 *
 * The plugin counts an entry immediately before the instruction at the address executes. QEMU takes interrupts only
 * between blocks, before the plugin is called, so an interrupt at an entry counts nothing twice. If the instruction
 * itself raises an exception of the guest, for example a page fault, then the guest executes the instruction again, and
 * the plugin counts two entries. The guests of these tests raise no such exceptions: in user mode, faults of the host
 * are invisible to the guest, and the demo kernel has no demand paging. The number of instructions is added for a whole
 * block when the block starts.
 */
#include "qemu_plugin_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function {
	uint64_t address, entries, order, instructions;
};

int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

struct range {
	uint64_t start, end;
};

static struct function *functions;
static size_t number_of_functions;
static struct range ranges[256];
static size_t number_of_ranges;
static uint64_t clock_of_entries, instructions;
static const char *out;
static uint64_t stop;
static int stopped;

static int compare(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* QEMU runs the CPUs of a guest in several threads, so the plugin counts with atomic additions. */
static void entered(unsigned int cpu, void *context)
{
	struct function *function = context;

	(void)cpu;
	if (!stopped && !__atomic_fetch_add(&function->entries, 1, __ATOMIC_SEQ_CST)) {
		function->order = __atomic_add_fetch(&clock_of_entries, 1, __ATOMIC_SEQ_CST);
		function->instructions = instructions;
	}
}

static void reached_stop(unsigned int cpu, void *context)
{
	(void)cpu;
	(void)context;
	stopped = 1;
}

static int is_counted(uint64_t address)
{
	size_t i;

	for (i = 0; i < number_of_ranges; i++) {
		if (address >= ranges[i].start && address < ranges[i].end)
			return 0;
	}
	return 1;
}

static void translated(uint64_t plugin, struct qemu_plugin_tb *block)
{
	size_t i, n = qemu_plugin_tb_n_insns(block);

	(void)plugin;
	if (n && is_counted(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0))))
		qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_ADD_TO_U64, &instructions, n);
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
		struct function key = {.address = qemu_plugin_insn_vaddr(insn)}, *function;

		function = bsearch(&key, functions, number_of_functions, sizeof(key), compare);
		if (function)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, entered, QEMU_PLUGIN_NO_REGISTERS, function);
		if (stop && key.address == stop)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_stop, QEMU_PLUGIN_NO_REGISTERS, NULL);
	}
}

static void ended(uint64_t plugin, void *context)
{
	FILE *file = fopen(out, "w");
	size_t i;

	(void)plugin;
	(void)context;
	if (!file) {
		perror(out);
		return;
	}
	for (i = 0; i < number_of_functions; i++)
		fprintf(file, "%llx %llu %llu %llu\n", (unsigned long long)functions[i].address,
			(unsigned long long)functions[i].entries, (unsigned long long)functions[i].order,
			(unsigned long long)functions[i].instructions);
	fprintf(file, "total %llu\n", (unsigned long long)instructions);
	if (fclose(file))
		perror(out);
}

static int read_list(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[4096];

	if (!file) {
		perror(path);
		return -1;
	}
	while (fgets(line, sizeof(line), file)) {
		struct function function = {.address = strtoull(line, NULL, 16)};

		if (!(number_of_functions & (number_of_functions + 1)))
			functions = realloc(functions, (number_of_functions + 1) * 2 * sizeof(*functions));
		if (!functions)
			return -1;
		functions[number_of_functions++] = function;
	}
	fclose(file);
	qsort(functions, number_of_functions, sizeof(*functions), compare);
	return 0;
}

static int read_ranges(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long long start, end;

	if (!file) {
		perror(path);
		return -1;
	}
	while (fscanf(file, "%llx %llx", &start, &end) == 2) {
		if (number_of_ranges == sizeof(ranges) / sizeof(*ranges))
			return -1;
		ranges[number_of_ranges++] = (struct range){start, end};
	}
	fclose(file);
	return 0;
}

int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv)
{
	const char *list = NULL, *except = NULL;
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "functions=", 10))
			list = argv[i] + 10;
		else if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
		else if (!strncmp(argv[i], "except=", 7))
			except = argv[i] + 7;
		else if (!strncmp(argv[i], "stop=", 5))
			stop = strtoull(argv[i] + 5, NULL, 16);
	}
	if (!list || !out || read_list(list) || (except && read_ranges(except))) {
		fprintf(stderr, "oracle_plugin: pass functions=LIST,out=FILE, and files that can be read\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
	qemu_plugin_register_atexit_cb(plugin, ended, NULL);
	return 0;
}
