/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.c - AArch64: masks interrupts, and reports an exception's registers on the console
 * before it ends the machine. The rest of this board is in qemu/virt/.
 */
#include "board.h"
#include "cpus.h"
#include "report.h"

#define MASKED_IRQ 0x80u

/* The registers that vectors.S saves on the stack. */
struct frame {
	uint64_t x[31];
	uint64_t sp;
};

_Noreturn void exception(const struct frame *frame, uintptr_t vector);

const char board_name[] = "aarch64";

uintptr_t board_irq_save(void)
{
	uintptr_t state;

	__asm__ volatile("mrs %0, daif\n\tmsr daifset, #2" : "=r"(state) : : "memory");
	return state;
}

void board_irq_restore(uintptr_t state)
{
	if (!(state & MASKED_IRQ))
		__asm__ volatile("msr daifclr, #2" : : : "memory");
}

void board_wait(void)
{
	/*
	 * A pending interrupt ends wfi even while interrupts are masked. So an interrupt that
	 * arrives just before wfi is not missed.
	 */
	__asm__ volatile("wfi\n\tmsr daifclr, #2\n\tisb\n\tmsr daifset, #2" : : : "memory");
}

#define READ(name)                                                                                                     \
	({                                                                                                             \
		uint64_t value;                                                                                        \
		__asm__ volatile("mrs %0, " name : "=r"(value));                                                       \
		value;                                                                                                 \
	})

void exception(const struct frame *frame, uintptr_t vector)
{
	char name[4] = "x0";
	unsigned int i;

	report_fault("exception");
	report_register("cpu", cpu_id());
	report_register("vector", vector);
	report_register("esr", READ("esr_el1"));
	report_register("pc", READ("elr_el1"));
	report_register("far", READ("far_el1"));
	report_register("spsr", READ("spsr_el1"));
	report_register("sp", frame->sp);
	for (i = 0; i < 31; i++) {
		if (i < 10) {
			name[1] = (char)('0' + i);
		} else {
			name[1] = (char)('0' + i / 10);
			name[2] = (char)('0' + i % 10);
		}
		report_register(name, frame->x[i]);
	}
	report_end();
}
