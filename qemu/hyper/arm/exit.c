/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exit.c - finds out why an Arm processor left the guest. The syndromes of AArch64 and
 * Armv7-A are the same.
 */
#include "board.h"
#include "cpu.h"
#include "hyper.h"
#include "pages.h"
#include "report.h"

#define CLASS_SHIFT      26
#define CLASS_DATA_ABORT 0x24u /* a data abort in the guest */
#define INSTRUCTION_LONG 0x02000000u /* the instruction has 4 bytes, not 2 */
#define ABORT_REGISTER   0x01000000u /* if set, ABORT_WHICH() is the number of the register that was read or written */
#define ABORT_WHICH(s)   ((s) >> 16 & 31)
#define ABORT_WRITE      0x40u

static _Noreturn void end(const char *what, uintptr_t vector)
{
	report_fault(what);
	report_register("vector", vector);
	report_register("esr", cpu_syndrome());
	report_register("pc", cpu_return());
	report_register("far", cpu_address());
	report_end();
}

void hyper_fault(uintptr_t vector)
{
	end("hypervisor", vector);
}

void cpu_start(const uint64_t *table)
{
	tables_map(CPU_CONSOLE, (const void *)CPU_CONSOLE, PAGES_CONSOLE);
	cpu_translate(table);
}

/* entry.S calls this function when the guest has exited. @reg points to the guest's registers. */
void hyper_exit(uintptr_t *reg);
void hyper_exit(uintptr_t *reg)
{
	uint32_t syndrome = cpu_syndrome();
	uint32_t which = ABORT_WHICH(syndrome);

	if (syndrome >> CLASS_SHIFT == CPU_CALL || syndrome >> CLASS_SHIFT == CPU_TRAPPED_CALL) {
		/* hvc and smc are undefined in programs, so the guest's kernel made the call. */
		if (syndrome >> CLASS_SHIFT == CPU_TRAPPED_CALL)
			cpu_skip(4);
		hyper_call(reg, true);
		return;
	}
	if (syndrome >> CLASS_SHIFT != CLASS_DATA_ABORT || !(syndrome & ABORT_REGISTER) ||
		(!(syndrome & ABORT_WRITE) && which >= CPU_REGISTERS))
		end("guest", 0);
	/* There is no memory at the address that the guest used. So reads return 0, and writes have no effect. */
	if (!(syndrome & ABORT_WRITE))
		reg[which] = 0;
	cpu_skip(syndrome & INSTRUCTION_LONG ? 4 : 2);
}
