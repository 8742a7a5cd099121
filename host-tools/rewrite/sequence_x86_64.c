// SPDX-License-Identifier: BSD-2-Clause
/*
 * sequence_x86_64.c - the entry sequences for x86_64. They change no register, because gcc (-fipa-ra) may keep values
 * in any register across a call of a function that it knows. They may change the flags.
 */
#include "assembly.h"

void sequence_x86_64(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	if (sequence->function->intel)
		add_line(result, ".att_syntax prefix");
	if (sequence->options->mode == REWRITE_COVERAGE) {
		add_line(result, "movb $1, .Lbareprof_raw_%zu(%%rip)", number);
	} else {
		/* The stub reads the distance of the raw words from incl, so this instruction must not change. */
		add_line(result, "%sincl .Lbareprof_raw_%zu(%%rip)", sequence->options->atomic ? "lock " : "", number);
		add_line(result, "%s .Lbareprof_done_%zu", sequence->options->sample ? "jl" : "jg", number);
		add_line(result, "call %s", sequence_stub(sequence));
		add_line(result, ".Lbareprof_done_%zu:", number);
	}
	if (sequence->function->intel)
		add_line(result, ".intel_syntax noprefix");
}
