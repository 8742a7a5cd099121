/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * functions.S - the profile sections of FUNCTIONS instrumented functions, as
 * clang 19 to 22 lay them out (raw version 10): a record of 64 bytes, 6 counters
 * and 22 bytes of names each. Without the functions: neither runtime runs them.
 */
	.section __llvm_prf_data, "aw", @progbits
	.balign	8
	.set	i, 0
	.rept	FUNCTIONS
	.quad	i, i				/* name hash, function hash */
	.quad	counters + 48 * i - (. - 16)	/* counters, from the record */
	.quad	0, 0, 0				/* bitmap, function, values */
	.long	6
	.short	0, 0, 0, 0			/* value sites */
	.long	0				/* bitmap bytes */
	.set	i, i + 1
	.endr

	.section __llvm_prf_cnts, "aw", @progbits
	.balign	8
counters:
	.fill	6 * FUNCTIONS, 8, 1

	.section __llvm_prf_names, "a", @progbits
	.balign	8	/* as the linker fragments place it; unaligned names take 1.1 times as long */
	.fill	22 * FUNCTIONS, 1, 0x6e

	.section .note.GNU-stack, "", @progbits
