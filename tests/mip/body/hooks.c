/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hooks.c - the functions that other kinds of instrumentation call. They are empty, so the benchmark measures the least
 * that such instrumentation costs: a real runtime adds the bytes and instructions of its hooks.
 */
#include <stdint.h>

#define HOOK(name, parameters)                                                                                         \
	void name parameters;                                                                                          \
	void name parameters                                                                                           \
	{                                                                                                              \
	}

/* -finstrument-functions */
HOOK(__cyg_profile_func_enter, (void *function, void *caller))
HOOK(__cyg_profile_func_exit, (void *function, void *caller))
/* -pg. On Arm, the code pushes lr before the call, and the hook pops it. */
#ifdef __arm__
__asm__(".syntax unified\n.text\n.balign 4\n.arm\n.globl __gnu_mcount_nc\n.type __gnu_mcount_nc, %function\n"
	"__gnu_mcount_nc:\n\tmov ip, lr\n\tpop {lr}\n\tbx ip\n"
#ifdef __thumb__
	".thumb\n"
#endif
);
/* Clang for bare metal calls this name, and has pushed nothing that a hook must pop. */
HOOK(mcount, (void))
#else
HOOK(mcount, (void))
HOOK(_mcount, (void *caller))
#endif
/* clang -fprofile-generate */
HOOK(__llvm_profile_instrument_target, (uint64_t value, void *data, uint32_t site))
HOOK(__llvm_profile_instrument_memop, (uint64_t value, void *data, uint32_t site))
/* gcc -fprofile-arcs */
HOOK(__gcov_init, (void *info))
HOOK(__gcov_exit, (void))
HOOK(__gcov_merge_add, (int64_t * counters, unsigned int n))
/* clang -fsanitize-coverage=func,inline-8bit-counters and gcc -fsanitize-coverage=trace-pc */
HOOK(__sanitizer_cov_8bit_counters_init, (char *start, char *stop))
HOOK(__sanitizer_cov_pcs_init, (const uintptr_t *start, const uintptr_t *stop))
HOOK(__sanitizer_cov_trace_pc, (void))
