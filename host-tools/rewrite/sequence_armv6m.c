// SPDX-License-Identifier: BSD-2-Clause
/*
 * sequence_armv6m.c - the entry sequences for Thumb code without 32-bit instructions, such as Armv6-M. The address of
 * the raw byte or words is a literal after the sequence. The sequences may change the flags.
 */
#include "assembly.h"

static void add_address(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	add_line(result, "ldr r0, .Lbareprof_literal_%zu", number);
	if (!sequence->options->position_independent)
		return;
	add_line(result, ".Lbareprof_here_%zu:", number);
	add_line(result, "add r0, pc");
}

static void add_literal(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	add_line(result, "b .Lbareprof_entry_%zu", number);
	add_line(result, ".balign 4");
	add_line(result, ".Lbareprof_literal_%zu:", number);
	if (sequence->options->position_independent)
		add_line(result, ".4byte .Lbareprof_raw_%zu-(.Lbareprof_here_%zu+4)", number, number);
	else
		add_line(result, ".4byte .Lbareprof_raw_%zu", number);
	add_line(result, ".Lbareprof_entry_%zu:", number);
}

/*
 * Armv6-M has no instructions for atomic changes, so interrupts are masked. On a chip with two CPUs, a call is
 * lost if both call the same function at the same moment.
 */
static void add_count(const struct sequence *sequence, struct buffer *result)
{
	bool atomic = sequence->options->atomic;

	if (atomic) {
		add_line(result, "push {r2}");
		add_line(result, "mrs r2, primask");
		add_line(result, "cpsid i");
	}
	add_line(result, "ldr r1, [r0]");
	add_line(result, "adds r1, r1, #1");
	add_line(result, "str r1, [r0]");
	if (atomic) {
		add_line(result, "msr primask, r2");
		add_line(result, "pop {r2}");
	}
}

/*
 * The stub finds the address of the entry, and after it lr, on the stack. If the function needs ip, the sequence saves
 * ip, because a veneer of the linker may change it.
 */
static void add_call(const struct sequence *sequence, struct buffer *result)
{
	bool keep = sequence->function->keeps_ip;

	if (keep) {
		add_line(result, "mov r1, ip");
		add_line(result, "push {r1}");
	}
	add_line(result, "push {r0, lr}");
	add_line(result, "bl %s", sequence_stub(sequence));
	add_line(result, "pop {r0, r1}");
	add_line(result, "mov lr, r1");
	if (keep) {
		add_line(result, "pop {r1}");
		add_line(result, "mov ip, r1");
	}
}

void sequence_armv6m(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	add_line(result, "push {r0, r1}");
	add_address(sequence, result);
	if (sequence->options->mode == REWRITE_COVERAGE) {
		add_line(result, "movs r1, #1");
		add_line(result, "strb r1, [r0]");
	} else {
		add_count(sequence, result);
		add_line(result, "%s .Lbareprof_done_%zu", sequence->options->sample ? "blt" : "bgt", number);
		add_call(sequence, result);
		add_line(result, ".Lbareprof_done_%zu:", number);
	}
	add_line(result, "pop {r0, r1}");
	add_literal(sequence, result);
}
