/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.c - Armv7-A: masks interrupts, and reports an exception's registers on the console
 * before it ends the machine. The rest of this board is in qemu/virt/.
 */
#include "board.h"
#include "report.h"

#define MASKED_IRQ   0x80u
#define STATE_THUMB  0x20u
#define VECTORS_USED 8

/* The registers that vectors.S saves on the stack. */
struct frame {
	uint32_t sp, lr, spsr;
	uint32_t r[13];
	uint32_t return_address;
};

_Noreturn void exception(const struct frame *frame, uint32_t vector);

const char board_name[] = "armv7a";

uintptr_t board_irq_save(void)
{
	uintptr_t state;

	__asm__ volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(state) : : "memory");
	return state;
}

void board_irq_restore(uintptr_t state)
{
	if (!(state & MASKED_IRQ))
		__asm__ volatile("cpsie i" : : : "memory");
}

void board_wait(void)
{
	/*
	 * A pending interrupt ends wfi even while interrupts are masked. So an interrupt that
	 * arrives just before wfi is not missed.
	 */
	__asm__ volatile("wfi\n\tcpsie i\n\tisb\n\tcpsid i" : : : "memory");
}

/* Reads a register of the system control coprocessor. */
#define READ(register)                                                                                                 \
	({                                                                                                             \
		uint32_t value;                                                                                        \
		__asm__ volatile("mrc p15, " register : "=r"(value));                                                  \
		value;                                                                                                 \
	})

void exception(const struct frame *frame, uint32_t vector)
{
	/*
	 * For each vector: the distance from the faulting instruction to the return address, in ARM
	 * and in Thumb state.
	 */
	static const uint8_t ahead[VECTORS_USED][2] = {[1] = {4, 2}, [3] = {4, 4}, [4] = {8, 8}};
	static const char name[13][4] = {
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12"};
	unsigned int i;

	report_fault("exception");
	report_register("vector", vector);
	report_register("pc", frame->return_address - ahead[vector][!!(frame->spsr & STATE_THUMB)]);
	report_register("sp", frame->sp);
	report_register("lr", frame->lr);
	report_register("dfsr", READ("0, %0, c5, c0, 0"));
	report_register("ifsr", READ("0, %0, c5, c0, 1"));
	report_register("dfar", READ("0, %0, c6, c0, 0"));
	report_register("ifar", READ("0, %0, c6, c0, 2"));
	report_register("spsr", frame->spsr);
	for (i = 0; i < 13; i++)
		report_register(name[i], frame->r[i]);
	report_end();
}
