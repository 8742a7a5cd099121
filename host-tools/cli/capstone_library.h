/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capstone_library.h - loads capstone when code is decoded for the first time. If it were linked, each start of bareprof
 * would take about twice as long, because the dynamic linker relocates 78,000 pointers in its tables; and bareprof is
 * started for each file that `bareprof mip cc` compiles.
 */
#ifndef BAREPROF_HOST_CAPSTONE_LIBRARY_H
#define BAREPROF_HOST_CAPSTONE_LIBRARY_H

#include <capstone/capstone.h>

/* The functions of capstone, named as there without "cs_". */
struct capstone_library {
	cs_err (*open)(cs_arch arch, cs_mode mode, csh *handle);
	cs_err (*close)(csh *handle);
	cs_err (*option)(csh handle, cs_opt_type type, size_t value);
	cs_insn *(*malloc)(csh handle);
	void (*free)(cs_insn *instructions, size_t count);
	bool (*disasm_iter)(csh handle, const uint8_t **code, size_t *size, uint64_t *address, cs_insn *instruction);
	cs_err (*regs_access)(
		csh handle, const cs_insn *instruction, cs_regs read, uint8_t *reads, cs_regs written, uint8_t *writes);
};

/*
 * capstone - returns the functions. If capstone cannot be loaded, prints a message and ends the program. May be called by
 * several threads.
 */
const struct capstone_library *capstone(void);

#endif
