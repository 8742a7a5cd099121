/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_plugin_abi.h - the functions of QEMU that the plugins call, and the functions that QEMU calls in a plugin.
 * QEMU 7.2 can load plugins, but no Debian package has a header for them. So this file declares the functions and types
 * of version 1 of QEMU's plugin interface by hand, and only those that the plugins need. The declarations follow the
 * documentation of the interface and the symbols that the programs qemu-* export.
 */
#ifndef BAREPROF_TESTS_QEMU_PLUGIN_ABI_H
#define BAREPROF_TESTS_QEMU_PLUGIN_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The plugin defines this number. QEMU refuses a plugin whose number QEMU does not support. */
#define QEMU_PLUGIN_INTERFACE 1
extern int qemu_plugin_version;

struct qemu_plugin_tb; /* a translated block of instructions */
struct qemu_plugin_insn; /* one instruction of a block that is being translated */

/* The access of a callback to the registers of the guest. */
enum qemu_plugin_registers {
	QEMU_PLUGIN_NO_REGISTERS,
	QEMU_PLUGIN_READS_REGISTERS,
	QEMU_PLUGIN_WRITES_REGISTERS
};

/* An operation that QEMU does by itself when it executes a block. */
enum qemu_plugin_inline {
	QEMU_PLUGIN_ADD_TO_U64
};

typedef void qemu_plugin_translated(uint64_t plugin, struct qemu_plugin_tb *block);
typedef void qemu_plugin_executed(unsigned int cpu, void *context);
typedef void qemu_plugin_ended(uint64_t plugin, void *context);

/* QEMU calls this function of the plugin once. bareprof's plugin does not use info. 0 is success. */
int qemu_plugin_install(uint64_t plugin, const void *info, int argc, char **argv);

/* The functions of QEMU. */
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t plugin, qemu_plugin_translated *callback);
void qemu_plugin_register_atexit_cb(uint64_t plugin, qemu_plugin_ended *callback, void *context);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_executed *callback,
	enum qemu_plugin_registers registers, void *context);
void qemu_plugin_register_vcpu_insn_exec_inline(
	struct qemu_plugin_insn *insn, enum qemu_plugin_inline operation, void *number, uint64_t addend);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, qemu_plugin_executed *callback,
	enum qemu_plugin_registers registers, void *context);
void qemu_plugin_register_vcpu_tb_exec_inline(
	struct qemu_plugin_tb *block, enum qemu_plugin_inline operation, void *number, uint64_t addend);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

#endif
