// SPDX-License-Identifier: BSD-2-Clause
/*
 * sequence_arm.c - the entry sequences for Arm and Thumb from Armv7 on. They change only ip, which every call may
 * change, because the linker may insert a veneer. They may change the flags. The same lines serve both states.
 */
#include "assembly.h"

bool odd_byte(const struct assembly *assembly, const struct function *function)
{
	return assembly->target == REWRITE_ARM && assembly->wide && !(function->thumb && assembly->odd_return);
}

/* Sets ip to the address of the raw byte or words. */
static void add_address(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;
	unsigned int ahead = sequence->function->thumb ? 4 : 8; /* distance of pc from its instruction */

	if (!sequence->options->position_independent) {
		add_line(result, "movw ip, #:lower16:.Lbareprof_raw_%zu", number);
		add_line(result, "movt ip, #:upper16:.Lbareprof_raw_%zu", number);
		return;
	}
	add_line(result, "movw ip, #:lower16:(.Lbareprof_raw_%zu-(.Lbareprof_here_%zu+%u))", number, number, ahead);
	add_line(result, "movt ip, #:upper16:(.Lbareprof_raw_%zu-(.Lbareprof_here_%zu+%u))", number, number, ahead);
	add_line(result, ".Lbareprof_here_%zu:", number);
	add_line(result, sequence->function->thumb ? "add ip, pc" : "add ip, pc, ip");
}

/*
 * On an M-profile processor, bit 0 of lr is 1, so the code stores the low byte of lr, which is never 0. In two cases lr
 * may be even: other processors can call the function from Arm state, and non-secure code can call a function of the
 * secure state. In these cases the code stores the low byte of the coverage byte's own address, which is odd.
 */
static void add_coverage(const struct sequence *sequence, struct buffer *result)
{
	bool keep = sequence->function->keeps_ip;

	if (keep)
		add_line(result, "str ip, [sp, #-4]!");
	add_address(sequence, result);
	if (sequence->odd_return && sequence->function->thumb)
		add_line(result, "strb lr, [ip]");
	else
		add_line(result, "strb ip, [ip]");
	if (keep)
		add_line(result, "ldr ip, [sp], #4");
}

static void add_count(const struct sequence *sequence, struct buffer *result)
{
	size_t number = sequence->number;

	if (!sequence->options->atomic) {
		add_line(result, "push {r0}");
		add_line(result, "ldr r0, [ip]");
		add_line(result, "adds r0, r0, #1");
		add_line(result, "str r0, [ip]");
		add_line(result, "pop {r0}");
		return;
	}
	add_line(result, "push {r0, r1}");
	add_line(result, ".Lbareprof_again_%zu:", number);
	add_line(result, "ldrex r0, [ip]");
	add_line(result, "adds r0, r0, #1");
	add_line(result, "strex r1, r0, [ip]");
	add_line(result, "cmp r1, #0");
	add_line(result, "bne .Lbareprof_again_%zu", number);
	add_line(result, "cmp r0, #0");
	add_line(result, "pop {r0, r1}");
}

void sequence_arm(const struct sequence *sequence, struct buffer *result)
{
	bool keep = sequence->function->keeps_ip;
	size_t number = sequence->number;

	if (sequence->options->mode == REWRITE_COVERAGE) {
		add_coverage(sequence, result);
		return;
	}
	if (keep)
		add_line(result, "str ip, [sp, #-4]!");
	add_address(sequence, result);
	add_count(sequence, result);
	add_line(result, "%s .Lbareprof_done_%zu", sequence->options->sample ? "blt" : "bgt", number);
	add_line(result, "push {ip, lr}");
	add_line(result, "bl %s", sequence_stub(sequence));
	add_line(result, "pop {ip, lr}");
	add_line(result, ".Lbareprof_done_%zu:", number);
	if (keep)
		add_line(result, "ldr ip, [sp], #4");
}
