/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * functions.S - the profile sections of FUNCTIONS instrumented functions, as clang 19 to 22 lay
 * them out (raw version 10). Each function has a record of 64 bytes, 6 counters and 22 bytes of
 * names. The functions have no code, because bareprof and compiler-rt only read the sections.
 *
 * If VALUES is defined, each function has two value sites: an indirect call and a copy. The
 * section of nodes then has room for values in a quarter of the functions, and for VALUES values
 * in each of these functions.
 */
#ifdef VALUES
#define SITES 1
#define HEADS heads + 16 * i
#else
#define SITES 0
#define HEADS 0
#endif

	.section __llvm_prf_data, "aw", @progbits
	.balign	8
	.set	i, 0
	.rept	FUNCTIONS
	.quad	i, i				/* hash of the name, structural hash */
	.quad	counters + 48 * i - (. - 16)	/* counters, relative to the record */
	.quad	0, 0, HEADS			/* bitmap, function, values */
	.long	6
	.short	SITES, SITES, 0, 0		/* value sites */
	.long	0				/* bitmap bytes */
	.set	i, i + 1
	.endr

	.section __llvm_prf_cnts, "aw", @progbits
	.balign	8
counters:
	.fill	6 * FUNCTIONS, 8, 1

	.section __llvm_prf_names, "a", @progbits
	/* The linker fragments align names in the same way. To copy unaligned names takes 1.1 times as long. */
	.balign	8
	.fill	22 * FUNCTIONS, 1, 0x6e

#ifdef VALUES
	.section __llvm_prf_vals, "aw", @progbits
	.balign	8
heads:
	.fill	2 * FUNCTIONS, 8, 0

	.section __llvm_prf_vnds, "aw", @progbits
	.balign	8
	.fill	3 * VALUES * ((FUNCTIONS + 3) / 4), 8, 0
#endif

	.section .note.GNU-stack, "", @progbits
