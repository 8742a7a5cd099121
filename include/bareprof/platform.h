/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform.h - everything that bareprof's target side needs from its surroundings.
 *
 * No header of the target side, except types.h, includes a header from outside the project. If the
 * tree of a port has its own integer types or attributes, the port puts its own
 * bareprof/platform.h earlier in the include path. That file defines the same names as
 * this file. No other file has to change.
 */
#ifndef BAREPROF_PLATFORM_H
#define BAREPROF_PLATFORM_H

#include <bareprof/types.h>

/*
 * The visibility of every symbol that bareprof defines or refers to. It is hidden so that
 * a position-independent image at a high address needs no global offset table.
 */
#ifndef BAREPROF_API
#define BAREPROF_API __attribute__((visibility("hidden")))
#endif

/*
 * Marks a function that is called through a pointer, for trees that check indirect calls
 * (such as Xen with cf_check). The macro is between the return type and the name.
 */
#ifndef BAREPROF_CALLBACK
#define BAREPROF_CALLBACK
#endif

/*
 * Marks inline functions that some builds do not call. Otherwise clang would warn of these
 * functions in the drop-in, which consists of one file.
 */
#ifndef BAREPROF_UNUSED
#define BAREPROF_UNUSED __attribute__((unused))
#endif

/*
 * A hook that a port may define, for example to reset a watchdog or to let other tasks run.
 * The runtime calls the hook after each block of a capture, after each record that it
 * checks, after each section that it reads, and after each step of sorting samples. The
 * runtime does not call the hook while it copies or fills memory, even if that takes long.
 */
#ifndef BAREPROF_YIELD
#define BAREPROF_YIELD() ((void)0)
#endif

/*
 * Two hooks. A port may define both, or none of them:
 *
 *	uintptr_t BAREPROF_MASK(void)          masks the interrupts of the calling CPU, and returns their previous state
 *	void BAREPROF_UNMASK(uintptr_t state)  restores this state
 *
 * No task switch may happen between the two calls. Only bareprof_snapshot_masked() calls
 * the two hooks. If a port does not define the hooks, runtime/mask.h defines them for
 * x86_64, AArch64, Cortex-M, and other Arm CPUs since Armv6. These definitions need a
 * privileged mode. Define the hooks if an RTOS or a hypervisor has its own rules for
 * masking. On other CPUs, define the hooks if the image uses bareprof_snapshot_masked(),
 * because otherwise the image does not link.
 */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * bareprof_copy - copies @n bytes from @from to @to. The two areas must not overlap.
 * bareprof_fill - sets @n bytes at @to to the low 8 bits of @byte.
 *
 * Both functions may be called in any context. They access each aligned machine word
 * at @from (for bareprof_fill(): at @to) as a whole. So they never read or write only half
 * of a word that another CPU increments at the same time. runtime/copy.c implements both
 * functions in C, and arch/x86_64/copy.c implements them with string instructions. A port
 * may define both functions itself.
 */
BAREPROF_API void bareprof_copy(void *to, const void *from, size_t n);
BAREPROF_API void bareprof_fill(void *to, int byte, size_t n);

#ifdef __cplusplus
}
#endif

#endif
