// SPDX-License-Identifier: BSD-2-Clause
/*
 * sequence_aarch64.c - the entry sequences for AArch64. They change only x16 and x17, which every call may change,
 * because the linker may insert a veneer. They may change the flags.
 */
#include "assembly.h"

static void add_branch(const struct sequence *sequence, struct buffer *result)
{
	add_line(result, "b.%s .Lbareprof_done_%zu", sequence->options->sample ? "lt" : "gt", sequence->number);
}

static void add_atomic(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	add_line(result, "adrp x16, .Lbareprof_raw_%zu", number);
	add_line(result, "add x16, x16, :lo12:.Lbareprof_raw_%zu", number);
	add_line(result, "str x15, [sp, #-16]!");
	add_line(result, ".Lbareprof_again_%zu:", number);
	add_line(result, "ldxr w17, [x16]");
	add_line(result, "adds w17, w17, #1");
	add_line(result, "stxr w15, w17, [x16]");
	add_line(result, "cbnz w15, .Lbareprof_again_%zu", number);
	add_line(result, "ldr x15, [sp], #16");
	add_branch(sequence, result);
	add_line(result, "stp x16, x30, [sp, #-16]!");
	add_line(result, "bl %s_at", sequence_stub(sequence));
	add_line(result, "ldp x16, x30, [sp], #16");
	add_line(result, ".Lbareprof_done_%zu:", number);
}

void sequence_aarch64(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	if (sequence->options->mode == REWRITE_COVERAGE) {
		add_line(result, "adrp x16, .Lbareprof_raw_%zu", number);
		add_line(result, "strb wzr, [x16, :lo12:.Lbareprof_raw_%zu]", number);
		return;
	}
	if (sequence->options->atomic) {
		add_atomic(sequence, result);
		return;
	}
	/* The stub reads the address of the raw words from adrp and str, so these instructions must not change. */
	add_line(result, "adrp x16, .Lbareprof_raw_%zu", number);
	add_line(result, "ldr w17, [x16, :lo12:.Lbareprof_raw_%zu]", number);
	add_line(result, "adds w17, w17, #1");
	add_line(result, "str w17, [x16, :lo12:.Lbareprof_raw_%zu]", number);
	add_branch(sequence, result);
	add_line(result, "mov x17, x30");
	add_line(result, "bl %s", sequence_stub(sequence));
	add_line(result, ".Lbareprof_done_%zu:", number);
}
