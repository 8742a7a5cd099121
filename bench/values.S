/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.S - as functions.S, but each function has two value sites, an indirect call and
 * a copy, and there is room for the values of a quarter of them: VALUES each.
 */
	.section __llvm_prf_data, "aw", @progbits
	.balign	8
	.set	i, 0
	.rept	FUNCTIONS
	.quad	i, i				/* name hash, function hash */
	.quad	counters + 48 * i - (. - 16)	/* counters, from the record */
	.quad	0, 0, heads + 16 * i		/* bitmap, function, values */
	.long	6
	.short	1, 1, 0, 0			/* value sites */
	.long	0				/* bitmap bytes */
	.set	i, i + 1
	.endr

	.section __llvm_prf_cnts, "aw", @progbits
	.balign	8
counters:
	.fill	6 * FUNCTIONS, 8, 1

	.section __llvm_prf_names, "a", @progbits
	.balign	8	/* as in functions.S */
	.fill	22 * FUNCTIONS, 1, 0x6e

	.section __llvm_prf_vals, "aw", @progbits
	.balign	8
heads:
	.fill	2 * FUNCTIONS, 8, 0

	.section __llvm_prf_vnds, "aw", @progbits
	.balign	8
	.fill	3 * VALUES * ((FUNCTIONS + 3) / 4), 8, 0

	.section .note.GNU-stack, "", @progbits
