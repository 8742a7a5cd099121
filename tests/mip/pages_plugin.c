/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages_plugin.c - a plugin for QEMU that counts from outside in which 4-KiB pages a guest executes instructions.
 *
 *   qemu-ARCH -plugin pages_plugin.so,start=ADDRESS,end=ADDRESS,stop=ADDRESS,out=FILE PROGRAM
 *
 * The pages are those from the address "start" up to but not including "end". When the guest executes the instruction
 * at the address "stop" for the first time, the plugin writes FILE and counts nothing more. All addresses are
 * hexadecimal, without the Thumb bit. Each line of FILE is the address of a page. If the guest never executes the
 * instruction, there is no FILE.
 */
#include "qemu_plugin_abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

int qemu_plugin_version = QEMU_PLUGIN_INTERFACE;

static uint64_t start, end, stop;
static const char *out;
static uint64_t *executed; /* for each page, the number of executed instructions that QEMU translated together */
static int stopped;

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
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		if (address == stop)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, reached_stop, QEMU_PLUGIN_NO_REGISTERS, NULL);
		if (address < start || address >= end)
			continue;
		/* One instruction of each page is enough. */
		if (!before || before / PAGE != address / PAGE)
			qemu_plugin_register_vcpu_insn_exec_inline(
				insn, QEMU_PLUGIN_ADD_TO_U64, &executed[address / PAGE - start / PAGE], 1);
		before = address;
	}
}

int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
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
	if (!out || !executed) {
		fprintf(stderr, "pages_plugin: pass start=ADDRESS,end=ADDRESS,stop=ADDRESS,out=FILE\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
	return 0;
}
