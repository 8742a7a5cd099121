/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mask.h - internal: masks the interrupts of the calling CPU. If a port defines
 * BAREPROF_MASK() and BAREPROF_UNMASK() itself (see platform.h), this file is not used. The
 * instructions in this file need a privileged mode. None of them masks an NMI.
 */
#ifndef BAREPROF_INTERRUPT_MASK_H
#define BAREPROF_INTERRUPT_MASK_H

#include <bareprof/platform.h>

#ifndef BAREPROF_MASK
#if defined(__x86_64__)

static inline BAREPROF_UNUSED uintptr_t bareprof_mask(void)
{
	/*
	 * A builtin of the compiler reads the flags. A push in assembler could overwrite
	 * data that the compiler keeps below the stack pointer.
	 */
	uintptr_t state = (uintptr_t)__builtin_ia32_readeflags_u64();

	__asm__ volatile("cli" : : : "memory");
	return state;
}

static inline BAREPROF_UNUSED void bareprof_unmask(uintptr_t state)
{
	if (state & 0x200) /* IF: interrupts were enabled */
		__asm__ volatile("sti" : : : "memory");
}
#define BAREPROF_MASK() bareprof_mask()

#else
/*
 * MASK_CODE: the instructions that read the mask to %0 and then mask interrupts.
 * UNMASK_CODE: the instruction that restores the mask.
 */
#if defined(__aarch64__)
/* Some systems deliver interrupts as FIQ, so both IRQ and FIQ are masked. */
#define BAREPROF_MASK_CODE   "mrs %0, daif\n\tmsr daifset, #3"
#define BAREPROF_UNMASK_CODE "msr daif, %0"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define BAREPROF_MASK_CODE   "mrs %0, primask\n\tcpsid i"
#define BAREPROF_UNMASK_CODE "msr primask, %0"
#elif defined(__arm__) && __ARM_ARCH >= 6 && (!defined(__thumb__) || defined(__thumb2__))
#define BAREPROF_MASK_CODE   "mrs %0, cpsr\n\tcpsid if"
#define BAREPROF_UNMASK_CODE "msr cpsr_c, %0"
#endif

#ifdef BAREPROF_MASK_CODE
static inline BAREPROF_UNUSED uintptr_t bareprof_mask(void)
{
	uintptr_t state;

	__asm__ volatile(BAREPROF_MASK_CODE : "=r"(state) : : "memory");
	return state;
}

static inline BAREPROF_UNUSED void bareprof_unmask(uintptr_t state)
{
	__asm__ volatile(BAREPROF_UNMASK_CODE : : "r"(state) : "memory");
}
#define BAREPROF_MASK() bareprof_mask()
#endif

#endif
#define BAREPROF_UNMASK(state) bareprof_unmask(state)
#endif

#endif
