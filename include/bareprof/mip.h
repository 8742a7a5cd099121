/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.h - machine profiles on the target: which functions and blocks ran, how often, in what order, and who
 * called them.
 *
 * `bareprof mip cc` compiles a file and adds a few instructions to the entry of each function. In
 * the mode "coverage" a function sets one byte of the section __llvm_mipraw_cov. In the mode
 * "calls" a function has an entry of 8 bytes in the section __llvm_mipraw_calls, with the number
 * of calls and the order of the first call. In the modes with blocks, each block of code has a byte in
 * the section __llvm_mipraw_blk. The section __llvm_mipraw_smp is the memory for samples of calls. A
 * runtime that is compiled with -DBAREPROF_MIP_BLOCKS_MODE or -DBAREPROF_MIP_SAMPLES_MODE serves all
 * four sections, any other runtime only the first two.
 *
 * The linker scripts mip.ld and mip-rom.ld place these sections. The map from bytes to functions stays
 * in the ELF file. Therefore the target has nothing to check, and the runtime for machine profiles alone
 * is small.
 *
 *	static struct bareprof_image image;
 *	static struct bareprof_capture capture;
 *
 *	error = bareprof_mip_image_self(&image);      finds the sections
 *	error = bareprof_capture_open(&capture, &image, nonce, block, sizeof(block));
 *	error = bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, sink, 0);
 *
 * These functions of other headers work with the image of a machine profile too:
 *
 *	bareprof_reset(), bareprof_read(), bareprof_snapshot(), bareprof_drain(), bareprof_capture_open(),
 *	bareprof_block(), bareprof_next_block(), bareprof_send(), bareprof_capture_write(), bareprof_hypercall()
 *
 * For bareprof_hypercall(), set `open` to bareprof_capture_open. A guest then reads captures.
 * bareprof_open() and the functions of image_set.h return NO_RECORDS, because a machine profile
 * has no records. If the image also has LLVM's counters, they need a struct bareprof_image of their
 * own, and a dump of their own. Both dumps should have the same nonce.
 *
 * This is how exact the numbers are:
 *
 *	- Coverage is exact on every machine: a byte never says that a function or block ran if it did not,
 *	  and a function or block that ran has set its byte. This is also true for code that interrupts,
 *	  NMIs and several CPUs run at the same time.
 *	- Counts and orders are exact on one CPU of x86_64, because one instruction counts a call.
 *	- On Arm and AArch64, three instructions count a call. So counts and orders are exact if no
 *	  interrupt handler calls a function which it may have interrupted in these instructions.
 *	  Otherwise a call of such a function may be lost.
 *	- If several CPUs call the same function, some calls are lost, except if the code was compiled
 *	  with `bareprof mip cc --atomic`. Then no call is lost. Armv6-M has no atomic instructions, so
 *	  there --atomic only masks interrupts, and two CPUs still lose calls.
 *	- If two CPUs call a function for the first time at the same moment, one of their two orders is kept.
 *	- A count can reach 2^39. The count of a function that is called more often is too low. In the
 *	  mode "calls,sample=N", a count can reach 2^64.
 *
 * In the mode "calls,sample=N", the entry of a function has 16 bytes. On average at each Nth call, code in
 * arch/ARCH/mip_sample.c also stores who called: see BAREPROF_MIP_RING below.
 *
 * Contexts. Instrumented functions may run in any context: in interrupts, in an NMI, and before the
 * start call. In (NOLOAD) memory, the start call erases what ran before it. The entry of a function
 * in the mode "calls" uses up to 48 bytes of stack, and with samples up to 64 bytes. Do not instrument
 * code that runs while the sections are not mapped or not writable, or, in the mode "calls" on Armv7 and
 * AArch64, while RAM is not normal memory (before the MMU is enabled).
 */
#ifndef BAREPROF_MIP_H
#define BAREPROF_MIP_H

#include <bareprof/capture.h>
#include <bareprof/mip_layout.h>
#include <bareprof/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The sections in the struct bareprof_image of a machine profile: coverage bytes, call entries, block
 * bytes and samples. They are in place of the counters and of the three sections after the counters.
 */
#define BAREPROF_MIP_COVERAGE BAREPROF_CNTS
#define BAREPROF_MIP_CALLS    BAREPROF_BITS
#define BAREPROF_MIP_BLOCKS   BAREPROF_NAMES
#define BAREPROF_MIP_SAMPLES  BAREPROF_VTAB

/*
 * The last part of the section BAREPROF_MIP_BLOCKS, in code of clang's -fsanitize-coverage. The runtime needs
 * only its size. All its bytes start as 0. All other block bytes start as 0xff.
 */
#define BAREPROF_MIP_CLANG_BLOCKS BAREPROF_VALS

/* The start value of the coverage bytes on this target (mip_layout.h). */
#ifdef __aarch64__
#define BAREPROF_MIP_START BAREPROF_MIP_COVERAGE_START_AARCH64
#else
#define BAREPROF_MIP_START BAREPROF_MIP_COVERAGE_START
#endif

/*
 * bareprof_mip_image_self - describes the machine profile of the image into which the runtime is
 * linked.
 *
 * Takes the bounds of the sections and of the build id from the symbols of the linker fragments.
 * Sets all fields of *image, and image->number to 0. The caller owns *image. May be called in any
 * context. Errors: NO_COUNTERS if no function is instrumented, or if the linker dropped the sections.
 */
BAREPROF_API int bareprof_mip_image_self(struct bareprof_image *image);

/*
 * bareprof_mip_image_init - describes a machine profile whose sections the caller has found, for example
 * those of a module that was loaded.
 *
 * Before the call, set *image to zeros, and the sections BAREPROF_MIP_COVERAGE, BAREPROF_MIP_CALLS and
 * BAREPROF_BUILD_ID to their bounds. If the runtime serves blocks, also set BAREPROF_MIP_BLOCKS,
 * BAREPROF_MIP_CLANG_BLOCKS and BAREPROF_MIP_SAMPLES, if they are not empty. If image->live must be another image, set
 * it after the call. To change the build id, call this function again. Errors: NO_COUNTERS if no function is
 * instrumented.
 */
BAREPROF_API int bareprof_mip_image_init(struct bareprof_image *image);

/*
 * bareprof_mip_start - prepares a machine profile in NOLOAD memory (mip-rom.ld). Describes the image as
 * bareprof_mip_image_self() does, and sets all bytes of the sections to their start value.
 *
 * Call this function when RAM is usable, but before the first instrumented function runs on any CPU.
 * It needs neither .data nor .bss. Do not instrument this function or any function that it calls.
 * Errors: those of bareprof_mip_image_self().
 */
BAREPROF_API int bareprof_mip_start(struct bareprof_image *image);

/*
 * bareprof_mip_open - opens the machine profile @image for bareprof_read(), which then reads the bytes
 * of a .mipraw. Sets dump->size to the size of the .mipraw in bytes. *image must stay in place while
 * the dump is open. Time is constant. Every image is accepted, so there is no error.
 *
 *	bareprof_mip_open(&dump, &image);
 *	n = bareprof_read(&dump, offset, window, sizeof(window));
 */
BAREPROF_API void bareprof_mip_open(struct bareprof_dump *dump, const struct bareprof_image *image);

/*
 * BAREPROF_MIP_RING - defines the ring for samples of return addresses, with @slots slots. Write it in one C
 * file, outside of all functions. @slots is a number, and a power of two. The ring has 8 bytes for each
 * slot, and 8 bytes more. It is in the section __llvm_mipraw_smp, so the linker fragments place it, and
 * captures, bareprof_read(), bareprof_snapshot(), bareprof_drain(), bareprof_reset() and the small form
 * include it. An image without a ring drops all samples, and its counts are the same.
 *
 *	BAREPROF_MIP_RING(1024);
 *
 * Code in the mode "calls,sample=N" takes a sample at the first call of each function. Then it draws the
 * distance to the next sample, a number of calls from 1 to 2 N - 1, with N on average. A sample has the
 * function that was called and the address to which it returns. If a function was reached by a tail call,
 * this is the call site of the first function in the chain of tail calls. If an interrupt or exception
 * entered the function, the address is not in a function that the host knows, or it is the interrupted code.
 * If all slots are used, new samples replace the oldest ones. The ring counts all samples modulo 2^32.
 *
 * Contexts: interrupts, NMIs and several CPUs may take samples at the same time, without locks and without
 * waiting. Each sample gets a slot of its own. This is how exact they are:
 *
 *	- Two samples are never mixed in one slot. Where a slot is stored with two instructions (Cortex-M), the
 *	  slot is empty in between. If interrupts filled the whole ring in between, the slot is emptied.
 *	- On a Cortex-M chip with several CPUs, two samples are mixed only if one CPU fills the whole ring while
 *	  another CPU stores a sample. Armv6-M has no atomic instructions, so two CPUs that take samples at the
 *	  same moment may get the same slot, and may mix their samples: an edge may then have a wrong caller. A
 *	  sample or an order may also be lost. So on such a chip, instrument only the code of one CPU.
 *	- If an interrupt calls a function at the moment in which its sample is taken, recursion and NMIs
 *	  included, the function takes one more sample, and the count stays exact.
 *	- A capture, or a handler that reads the entry at the moment in which a sample is taken, may read a
 *	  count that is too low by at most 2 N - 1.
 *	- The count is exact in the same cases as without samples. In the other cases above, in which a call may
 *	  be lost, the count of a function with samples may also be too high, by at most 2 N - 1 for each
 *	  sample that another CPU or an interrupt takes in these instructions. So with several CPUs, use --atomic.
 *	- All files of one link should have the same N. If they do not, the linker keeps one N for all. Counts
 *	  and weights are also right in this case.
 */
#define BAREPROF_MIP_RING(slots)                                                                                       \
	typedef char bareprof_mip_ring_slots_are_a_power_of_two[(slots) > 0 && !((slots) & ((slots)-1)) ? 1 : -1];     \
	BAREPROF_MIP_RING_(slots)
#define BAREPROF_MIP_RING_(slots)                                                                                      \
	__asm__(".pushsection " BAREPROF_MIP_SECTION_SAMPLES ",\"aw\",%nobits\n\t"                                     \
		".balign 8\n\t"                                                                                        \
		".zero 8 + 8 * (" #slots ")\n\t"                                                                       \
		".popsection")

/*
 * Resets. bareprof_reset() sets all bytes of the sections to their start value. If a function is
 * called during the reset, the reset may miss its byte or entry. If the reset comes between the
 * instructions that count a call, the entry keeps its old count plus 1, without an order. The host then
 * shows that the function ran, with an unknown order. If bareprof_reset() or bareprof_drain() comes at the
 * moment in which a sample is taken, the count of the function is wrong by at most 2 N - 1.
 *
 * The clock of orders is the field `clock` of BAREPROF_STATE (state.h), which an image in the mode
 * "calls" must define. No function of bareprof sets it back, because timestamps of LLVM's temporal
 * profiles use the same clock. So after a reset the orders continue. To begin at 1 again, write 0 to
 * bareprof_global_state.clock before the call of bareprof_reset(), while no other CPU runs
 * instrumented functions.
 */

/*
 * The small form for machine profiles, for microcontrollers with a few KiB of memory: two functions
 * that replace all functions above. They need no struct, and have the contracts of
 * bareprof_small_start() and bareprof_small_dump() in capture.h.
 *
 * bareprof_mip_small_start - sets all bytes of the sections to their start value. Errors: NO_COUNTERS.
 *
 * bareprof_mip_small_dump - sends the sections as a capture. Pass another @nonce after you called
 * bareprof_mip_small_start() again. Errors: NO_SPACE, SINK.
 */
BAREPROF_API int bareprof_mip_small_start(void);
BAREPROF_API int bareprof_mip_small_dump(
	size_t nonce, void *buf, size_t size, bareprof_encoder form, bareprof_sink sink, void *context);

#ifdef __cplusplus
}
#endif

#endif
