/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - the vector table, and the code from reset to the kernel. It prepares memory first, then the counters, and
 * then runs instrumented code.
 */
#include "profile.h"

#include "board.h"
#include "interrupt.h"
#include "sample_wait.h"

#ifdef DEMO_SAMPLES
#define SYSTICK_HANDLER sample_entry
#else
#define SYSTICK_HANDLER fault_entry
#endif

extern const uint32_t data_image[];
extern uint32_t data_start[], data_end[], bss_start[], bss_end[], stack_top[];
/* The linker scripts define these symbols. Only bareprof-rom-values.ld defines the first symbol. */
extern const uint32_t __bareprof_records_image[];
extern uint32_t __start___llvm_prf_data[], __stop___llvm_prf_data[];
extern uint32_t __start___llvm_prf_vals[], __stop___llvm_prf_vnds[];

_Noreturn void reset(void);

#define INTERRUPTS 32

static const struct {
	const void *stack;
	void (*exception[15])(void);
	void (*interrupt[INTERRUPTS])(void);
} vectors __attribute__((section(".vectors"), used)) = {
	.stack = stack_top,
	.exception = {reset, fault_entry, fault_entry, fault_entry, fault_entry,
		fault_entry, [10] = fault_entry, [13] = fault_entry, [14] = SYSTICK_HANDLER},
	.interrupt = {[INTERRUPT_UART] = uart_interrupt, [INTERRUPT_TIMER] = timer_interrupt},
};

static void prepare_memory(void)
{
	const uint32_t *from = data_image;
	uint32_t *to;

	for (to = data_start; to < data_end; to++)
		*to = *from++;
	for (to = bss_start; to < bss_end; to++)
		*to = 0;
#ifdef BAREPROF_VALUES
	/*
	 * Nothing is loaded into the memory for values, so after power-on it would contain garbage.
	 * This loop fills it with garbage, to show that bareprof does not depend on its contents.
	 */
	for (to = __start___llvm_prf_vals; to < __stop___llvm_prf_vnds; to++)
		*to = 0xdeadbeef;
#endif
#ifdef RECORDS_COPIED
	from = __bareprof_records_image;
	for (to = __start___llvm_prf_data; to < __stop___llvm_prf_data; to++)
		*to = *from++;
#endif
}

void reset(void)
{
	__asm__ volatile("cpsid i" : : : "memory");
	prepare_memory();
	board_console();
	/* An error can be ignored here, because the kernel calls bareprof again and reports errors then. */
#ifndef DEMO_MIP_ALONE
	(void)bareprof_start(&kernel_image);
#endif
#ifdef DEMO_MIP
	(void)bareprof_mip_start(&mip_image);
#endif
	board_constructors();
	kernel_main();
}
