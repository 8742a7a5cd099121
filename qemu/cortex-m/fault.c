/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault.c - reports the registers at a fault on the console, then ends the machine.
 */
#include "board.h"
#include "report.h"

/* Registers with the cause of a fault. Armv6-M does not have them. */
#define FAULT_STATUS  (*(volatile uint32_t *)0xe000ed28)
#define HARD_STATUS   (*(volatile uint32_t *)0xe000ed2c)
#define MEMORY_FAULT  (*(volatile uint32_t *)0xe000ed34)
#define BUS_FAULT     (*(volatile uint32_t *)0xe000ed38)
#define STACKING_ERRS 0x1010u /* in FAULT_STATUS: the processor could not save registers */

/* The registers that the processor pushes. */
struct pushed {
	uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

_Noreturn void fault(const struct pushed *pushed, const uint32_t r4_to_r11[8]);

/*
 * Reports the cause of the fault. Returns 0 if FAULT_STATUS says that the processor could not save
 * its registers, otherwise 1.
 */
static int report_status(void)
{
#if __ARM_ARCH >= 7
	uint32_t status = FAULT_STATUS;

	report_register("cfsr", status);
	report_register("hfsr", HARD_STATUS);
	report_register("mmfar", MEMORY_FAULT);
	report_register("bfar", BUS_FAULT);
	return !(status & STACKING_ERRS);
#else
	return 1;
#endif
}

static void report_pushed(const struct pushed *pushed)
{
	report_register("pc", pushed->pc);
	report_register("lr", pushed->lr);
	report_register("sp", (uintptr_t)(pushed + 1));
	report_register("xpsr", pushed->xpsr);
	report_register("r0", pushed->r0);
	report_register("r1", pushed->r1);
	report_register("r2", pushed->r2);
	report_register("r3", pushed->r3);
	report_register("r12", pushed->r12);
}

void fault(const struct pushed *pushed, const uint32_t r4_to_r11[8])
{
	static const char name[8][4] = {"r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"};
	uint32_t vector;
	int saved;
	int i;

	__asm__ volatile("mrs %0, ipsr" : "=r"(vector));
	report_fault("fault");
	report_register("vector", vector);
	saved = report_status();
	for (i = 0; i < 8; i++)
		report_register(name[i], r4_to_r11[i]);
	if (saved)
		report_pushed(pushed);
	else
		report_register("sp", (uintptr_t)pushed);
	report_end();
}
