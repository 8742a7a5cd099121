/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.h - hypercalls by which a guest pulls the hypervisor's profile.
 *
 * The first half is the ABI, for guest and hypervisor; docs/SPEC.md, part 3, explains every
 * bit. The second half has the functions with which a hypervisor serves the calls. In a few
 * lines:
 *
 *	static struct bareprof_hypercalls calls = {
 *		.image = &image, .buffer = page, .window = sizeof(page), .copy = copy_to_guest,
 *		.open = bareprof_capture_open, .nonce = boot,
 *	};
 *
 *	bareprof_hypercalls_start(&calls);
 *	...
 *	bareprof_hypercall(&calls, vcpu->registers, vcpu, vcpu->vm->is_privileged);
 *
 * The caller may be hostile. Whatever is in the registers, only `copy` writes memory of the
 * guest, after it has checked the address, and the work of a call is bounded.
 */
#ifndef BAREPROF_HYPERCALL_H
#define BAREPROF_HYPERCALL_H

#include <bareprof/capture.h>
#include <bareprof/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Functions are numbered by Arm's SMC Calling Convention (SMCCC): they are fast calls of
 * the owner "vendor specific hypervisor service", with 64-bit or 32-bit registers. CPUs
 * without SMCCC use the same numbers.
 *
 *	          function  arguments   results   instruction
 *	AArch64   w0        x1 to x5    x0 to x3  hvc #0
 *	Armv7-A   r0        r1 to r5    r0 to r3  hvc #0
 *	x86_64    eax       rdi, rsi,   rax, rdi, vmmcall (AMD),
 *	                    rdx, r10,   rsi, rdx  vmcall (Intel);
 *	                    r8                    from 64-bit code
 *
 * All other registers keep their contents, and the stack is not used. The first result is
 * 0 or more if the call succeeded, else an enum bareprof_hypercall_error, sign-extended to
 * the width of the register. Results that a function does not mention are 0.
 *
 * 64-bit functions pass each number in one register. 32-bit functions use only the lower
 * half of each register, and pass an address in two of them, the lower half first. A 32-bit
 * hypervisor has only the 32-bit functions.
 */
#define BAREPROF_HYPERCALL_32 0x86000000u
#define BAREPROF_HYPERCALL_64 0xc6000000u

/*
 * The number of the first function, to be added to either of the two bases above. If the
 * hypervisor's own functions have these numbers, compile its dispatcher and its guests with
 * another BAREPROF_HYPERCALL_FIRST. Function numbers may go up to 0xefff.
 */
#ifndef BAREPROF_HYPERCALL_FIRST
#define BAREPROF_HYPERCALL_FIRST 0x4250u
#endif

/*
 * INFO(form) - returns what can be read. Has no side effects. The first result is 0, the
 * other three are:
 *
 *	form 0, a .profraw:  its size in bytes      serial   most bytes that one READ copies
 *	form 1, a capture:   its number of blocks   serial   most bytes that one block has
 *
 * Errors: DENIED; ARGUMENT if there is no such form; NONE if the profile is not available
 * in this form; NOT_SUPPORTED if the hypervisor serves no captures, or if the size does not
 * fit the caller's registers.
 */
#define BAREPROF_HYPERCALL_INFO (BAREPROF_HYPERCALL_FIRST + 0)

/*
 * READ(offset, address, length, serial) - copies bytes from @offset of the .profraw, in
 * bytes, to the guest's memory at @address. Copies @length bytes, or fewer: at most what
 * INFO returned, and only up to the end of the .profraw.
 *
 * Returns the number of bytes copied, 0 at the end and beyond. A result of 0 also confirms
 * that there was no reset since the INFO that returned @serial, so all windows belong to
 * one profile. Without a SNAPSHOT the counters go on counting between windows, with the
 * effects that bareprof_read() describes; windows that are multiples of 8 bytes cut no
 * counter. Errors: DENIED; ARGUMENT if @length is 0; STALE; FAULT; NONE.
 */
#define BAREPROF_HYPERCALL_READ (BAREPROF_HYPERCALL_FIRST + 1)

/*
 * BLOCK(index, address, length, serial) - copies block @index of the capture, counted from
 * 0, to the guest's memory at @address, where there is room for @length bytes.
 *
 * Returns the size of the block in bytes, 0 after the last block. Blocks may be copied in
 * any order and any number of times. Errors: those of READ; NO_SPACE if @length is too
 * small, and the second result is the size of the block; NOT_SUPPORTED if the hypervisor
 * serves no captures.
 */
#define BAREPROF_HYPERCALL_BLOCK (BAREPROF_HYPERCALL_FIRST + 2)

/*
 * RESET(serial) - sets the hypervisor's counters to their start value, if @serial is still
 * the current serial. Then @serial becomes stale, and a SNAPSHOT is discarded. Counts made
 * between the last READ (or the SNAPSHOT) and the RESET are lost. Errors: DENIED; STALE.
 */
#define BAREPROF_HYPERCALL_RESET (BAREPROF_HYPERCALL_FIRST + 3)

/*
 * SNAPSHOT() - copies the counters. Until the next SNAPSHOT or RESET, INFO, READ and BLOCK
 * use this copy. Earlier serials become stale. Errors: DENIED; NOT_SUPPORTED if the
 * hypervisor has no memory for the copy.
 */
#define BAREPROF_HYPERCALL_SNAPSHOT (BAREPROF_HYPERCALL_FIRST + 4)

/*
 * UID() and REVISION(), which SMCCC requires of every service: 32-bit functions that any
 * guest may call. UID returns 62ec6ecd-2f80-4eea-bf71-66280990d948 in the four results,
 * REVISION returns the major number in the first result and the minor one in the second. A
 * hypervisor passes these two calls to bareprof only if it has no other functions of this
 * owner.
 */
#define BAREPROF_HYPERCALL_UID      0xff01u
#define BAREPROF_HYPERCALL_REVISION 0xff03u

#define BAREPROF_HYPERCALL_UID_0 0xcd6eec62u
#define BAREPROF_HYPERCALL_UID_1 0xea4e802fu
#define BAREPROF_HYPERCALL_UID_2 0x286671bfu
#define BAREPROF_HYPERCALL_UID_3 0x48d99009u

#define BAREPROF_HYPERCALL_MAJOR 1u
#define BAREPROF_HYPERCALL_MINOR 0u

/* The forms of a profile, for INFO. */
#define BAREPROF_HYPERCALL_PROFRAW 0u
#define BAREPROF_HYPERCALL_CAPTURE 1u

/* The errors of hypercalls. The numbers of the first two are those of SMCCC. */
enum bareprof_hypercall_error {
	BAREPROF_HYPERCALL_NOT_SUPPORTED = -1, /* there is no such function here */
	BAREPROF_HYPERCALL_ARGUMENT = -3, /* an argument that is never valid */
	BAREPROF_HYPERCALL_DENIED = -4, /* this caller has no permission */
	BAREPROF_HYPERCALL_FAULT = -5, /* the guest may not write all of the memory at the address */
	BAREPROF_HYPERCALL_STALE = -6, /* a reset or snapshot came after the INFO with that serial: start again */
	BAREPROF_HYPERCALL_NO_SPACE = -7, /* the block is longer than the room; the second result is its size */
	BAREPROF_HYPERCALL_NONE =
		-8, /* not available in this form; the second result is an enum bareprof_error, without its sign */
};

/* True if @function, of 32 bits, is one of the five functions above: for a hypervisor that has others too. */
#define BAREPROF_IS_HYPERCALL(function)                                                                                \
	(((uint32_t)(function) & ~0x40000000u) - BAREPROF_HYPERCALL_32 - BAREPROF_HYPERCALL_FIRST < 5u)

/*
 * bareprof_guest_copy - copies @n bytes from @from to address @to of @guest, the pointer
 * that was given to bareprof_hypercall(). The hypervisor implements this function. @to + @n
 * does not wrap. It must check the whole range first: if this guest may not write every
 * byte of it, it copies nothing and returns @n. Otherwise it returns 0, the number of bytes
 * that were NOT copied.
 *
 * The hypervisor decides whether addresses are physical addresses of the guest or virtual
 * ones; bareprof does not care. Physical addresses are easier to check.
 */
typedef size_t (*bareprof_guest_copy)(void *guest, uint64_t to, const void *from, size_t n);

/* Opens a capture: bareprof_capture_open() or bareprof_capture_values(). */
typedef int (*bareprof_open_capture)(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * The profile that guests can read. The hypervisor owns this struct and fills in its first
 * part. Only one CPU at a time may be in either of the two functions below. A lock around
 * each call is enough; it is held only as long as one window takes.
 */
struct bareprof_hypercalls {
	struct bareprof_image *image; /* the hypervisor; bareprof_image_init() has accepted it */
	bareprof_guest_copy copy;
	void *buffer; /* aligned as a uint64_t; each window is built here and then copied to the guest */
	size_t window; /* size of buffer, bytes: the most that one call copies; 4096 for example */
	bareprof_open_capture open; /* NULL: no captures, and BLOCK returns NOT_SUPPORTED */
	size_t nonce; /* for captures, see bareprof_capture_open() */
	void *memory; /* for a snapshot, aligned as a uint64_t; NULL: SNAPSHOT is NOT_SUPPORTED */
	size_t memory_size; /* bytes, at least BAREPROF_SNAPSHOT_SIZE(image) */
	/* Set by the functions below; may be read. */
	const struct bareprof_image *of; /* the image that is read now: image, or &snapshot */
	struct bareprof_image snapshot;
	struct bareprof_dump dump;
	struct bareprof_capture capture;
	int dump_error;
	int capture_error;
	size_t generation; /* epoch of *of when it was opened */
	uint32_t serial;
};

/*
 * bareprof_hypercalls_start - makes the live counters of calls->image available to guests.
 * May be called again: earlier serials then become stale, and a snapshot is discarded.
 *
 * If the image has value sites, call bareprof_values_hold() before, and release the lists
 * only when guests need not read any more. After a release, the next INFO opens the image
 * again. Time is linear in the number of blocks of a capture.
 */
BAREPROF_API void bareprof_hypercalls_start(struct bareprof_hypercalls *calls);

/*
 * bareprof_hypercall - serves one call of @guest, a pointer that is only passed on to
 * calls->copy().
 *
 * @reg points to six registers, the function and its arguments in the order of the table
 * above; the four results replace the first four. A register frame that has x0 to x5, or
 * r0 to r5, in this order can be passed as it is. Functions that are not bareprof's return
 * NOT_SUPPORTED.
 *
 * @privileged is non-zero if this caller may use the five functions; otherwise they
 * return DENIED. Deny the user mode of guests, and all guests that must not learn about others:
 * the hypervisor's counts show what each guest does.
 *
 * READ and BLOCK take the time to copy or to code calls->window bytes. RESET and SNAPSHOT
 * fill or copy all counters, at the speed of memory.
 */
BAREPROF_API void bareprof_hypercall(struct bareprof_hypercalls *calls, uintptr_t reg[6], void *guest, int privileged);

#ifdef __cplusplus
}
#endif

#endif
