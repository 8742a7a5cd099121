/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.h - the profile of a hypervisor, for a guest to pull.
 *
 * The first half is the ABI, for both sides; what every bit means is in docs/SPEC.md,
 * part 3. The second is what a hypervisor calls to serve it. In a few lines:
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
 * Who asks may be anybody: whatever is in the registers, nothing is written but what
 * `copy` takes for the guest's own memory, and the work of a call is bounded.
 */
#ifndef BAREPROF_HYPERCALL_H
#define BAREPROF_HYPERCALL_H

#include <bareprof/capture.h>
#include <bareprof/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Functions have the numbers of Arm's SMC Calling Convention (SMCCC): fast calls, of
 * the owner "vendor specific hypervisor service", with 64-bit or with 32-bit registers.
 * They are the same where there is no SMCCC.
 *
 *	          function  arguments   results   instruction
 *	AArch64   w0        x1 to x5    x0 to x3  hvc #0
 *	Armv7-A   r0        r1 to r5    r0 to r3  hvc #0
 *	x86_64    eax       rdi, rsi,   rax, rdi, vmmcall (AMD),
 *	                    rdx, r10,   rsi, rdx  vmcall (Intel);
 *	                    r8                    from 64-bit code
 *
 * All other registers keep what they have. The first result is 0 or more where the call
 * did what it should, else of enum bareprof_hypercall_error, sign-extended to the
 * register; results that are not said to be something are 0. The stack is not used.
 *
 * 64-bit functions take and give each number in one register. 32-bit ones look at the
 * lower halves of registers only, and an address has two of these, the lower half first.
 * A 32-bit hypervisor has the 32-bit functions only.
 */
#define BAREPROF_HYPERCALL_32 0x86000000u
#define BAREPROF_HYPERCALL_64 0xc6000000u

/*
 * The numbers of functions, to be added to either. A hypervisor whose own functions have
 * these compiles its dispatcher and its guests with another BAREPROF_HYPERCALL_FIRST; it
 * has up to 0xefff to choose from.
 */
#ifndef BAREPROF_HYPERCALL_FIRST
#define BAREPROF_HYPERCALL_FIRST 0x4250u
#endif

/*
 * INFO(form) - what there is to be read. No side effects.
 *
 * form 0, a .profraw: its size in bytes, the serial, the most bytes that a READ gives.
 * form 1, a capture: how many blocks it has, the serial, and the most bytes that one has.
 * Errors: DENIED; ARGUMENT if there is no such form; NONE if there is no profile in this
 * form; NOT_SUPPORTED for a size that the caller's registers do not hold.
 */
#define BAREPROF_HYPERCALL_INFO (BAREPROF_HYPERCALL_FIRST + 0)

/*
 * READ(offset, address, length, serial) - copy from @offset of the .profraw, in bytes, to
 * the guest's memory at @address: @length bytes, or as many as INFO says if that is less,
 * or what is left.
 *
 * Returns how many that were, in the first result; 0 at the end and beyond, which also
 * says that no reset was in between: all windows since the INFO that gave @serial are of
 * one profile. Counters go on counting meanwhile (bareprof_read() says what comes of it;
 * windows that are multiples of 8 cut none), unless there was a SNAPSHOT. Errors: DENIED;
 * ARGUMENT if @length is 0; STALE; FAULT; NONE.
 */
#define BAREPROF_HYPERCALL_READ (BAREPROF_HYPERCALL_FIRST + 1)

/*
 * BLOCK(index, address, length, serial) - copy block @index of the capture, from 0 on, to
 * the guest's memory at @address. @length is the room there.
 *
 * Returns the bytes of the block; 0 at the end and beyond. Any order, any number of
 * times. Errors: as READ, and NO_SPACE, with what the block takes as the second result.
 */
#define BAREPROF_HYPERCALL_BLOCK (BAREPROF_HYPERCALL_FIRST + 2)

/*
 * RESET(serial) - set the hypervisor's counters to their start value, if what @serial
 * is of is still there to be read. From then on it is not, and a SNAPSHOT is given up.
 * What was counted between the last READ and now is lost. Errors: DENIED; STALE.
 */
#define BAREPROF_HYPERCALL_RESET (BAREPROF_HYPERCALL_FIRST + 3)

/*
 * SNAPSHOT() - from now on INFO, READ and BLOCK are of the counters as they are at this
 * moment, until the next SNAPSHOT or RESET. What was being read is STALE. Errors: DENIED;
 * NOT_SUPPORTED where the hypervisor keeps no memory for it.
 */
#define BAREPROF_HYPERCALL_SNAPSHOT (BAREPROF_HYPERCALL_FIRST + 4)

/*
 * What SMCCC asks of every service: UID() and REVISION(), 32-bit functions that anybody
 * may call. The UID is 62ec6ecd-2f80-4eea-bf71-66280990d948, in the four results; the
 * revision is two of them. Only a hypervisor that has no other functions of this owner
 * lets them through to bareprof.
 */
#define BAREPROF_HYPERCALL_UID      0xff01u
#define BAREPROF_HYPERCALL_REVISION 0xff03u

#define BAREPROF_HYPERCALL_UID_0 0xcd6eec62u
#define BAREPROF_HYPERCALL_UID_1 0xea4e802fu
#define BAREPROF_HYPERCALL_UID_2 0x286671bfu
#define BAREPROF_HYPERCALL_UID_3 0x48d99009u

#define BAREPROF_HYPERCALL_MAJOR 1u
#define BAREPROF_HYPERCALL_MINOR 0u

/* Forms, for INFO. */
#define BAREPROF_HYPERCALL_PROFRAW 0u
#define BAREPROF_HYPERCALL_CAPTURE 1u

/* The first two of these numbers are SMCCC's. */
enum bareprof_hypercall_error {
	BAREPROF_HYPERCALL_NOT_SUPPORTED = -1, /* there is no such function here */
	BAREPROF_HYPERCALL_ARGUMENT = -3, /* an argument that no call can have */
	BAREPROF_HYPERCALL_DENIED = -4, /* this caller may not */
	BAREPROF_HYPERCALL_FAULT = -5, /* address: not all of it is memory that the guest may write */
	BAREPROF_HYPERCALL_STALE = -6, /* reset, or another snapshot, since INFO gave that serial: begin again */
	BAREPROF_HYPERCALL_NO_SPACE = -7, /* the block is longer: the second result says how long */
	BAREPROF_HYPERCALL_NONE =
		-8, /* it cannot be had; the second result is an enum bareprof_error, without its sign */
};

/* Whether @function, of 32 bits, is one of bareprof's, UID and REVISION aside: for a hypervisor that has others. */
#define BAREPROF_IS_HYPERCALL(function)                                                                                \
	(((uint32_t)(function) & ~0x40000000u) - BAREPROF_HYPERCALL_32 - BAREPROF_HYPERCALL_FIRST < 5u)

/*
 * bareprof_guest_copy - copy @n bytes at @from to address @to of @guest, which is what was
 * given to bareprof_hypercall(); to + n does not wrap. Returns how many bytes were NOT
 * copied: 0, or @n if any byte is not memory that this guest may write, and then none was.
 *
 * Whether addresses are physical ones of the guest or virtual, the hypervisor says and
 * nobody here knows; physical ones are the easier to check.
 */
typedef size_t (*bareprof_guest_copy)(void *guest, uint64_t to, const void *from, size_t n);

/* Opens a capture: bareprof_capture_open() or bareprof_capture_values(). */
typedef int (*bareprof_open_capture)(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * What guests can read. The caller owns it and fills in the first part. One CPU at a time
 * is in any of the two functions below: a lock around them is held for one window.
 */
struct bareprof_hypercalls {
	struct bareprof_image *image; /* of the hypervisor; its layout is known */
	bareprof_guest_copy copy;
	void *buffer; /* aligned as a uint64_t: each window is here before it is in the guest */
	size_t window; /* its bytes: the most that a call gives, 4096 for example */
	bareprof_open_capture open; /* NULL: no captures; then BLOCK is NOT_SUPPORTED */
	size_t nonce; /* of captures: bareprof_capture_open() */
	void *memory; /* for a snapshot, aligned as a uint64_t; NULL: there are none */
	size_t memory_size; /* BAREPROF_SNAPSHOT_SIZE() of the image, bytes */
	/* What is read now, and what came of opening it; may be read. */
	const struct bareprof_image *of; /* image, or &snapshot */
	struct bareprof_image snapshot;
	struct bareprof_dump dump;
	struct bareprof_capture capture;
	int dump_error;
	int capture_error;
	size_t generation; /* of it when opened */
	uint32_t serial;
};

/*
 * bareprof_hypercalls_start - serve the counters of calls->image, live. Also makes what is
 * being read stale, and gives up a snapshot.
 *
 * If the image has value sites, its lists have to be held before this call, and until
 * nothing is to be read: bareprof_values_hold(). After a release INFO opens it anew. Time is
 * linear in the number of a capture's blocks.
 */
BAREPROF_API void bareprof_hypercalls_start(struct bareprof_hypercalls *calls);

/*
 * bareprof_hypercall - serve one call, on behalf of @guest; @privileged says whether that one
 * may at all (a caller in the guest's user mode may not, nor may other guests, whom a
 * hypervisor's counts would tell about each other).
 *
 * @reg points to the six registers of function and arguments in the order of the table above,
 * and gets the four results: where a frame has x0 to x5, or r0 to r5, in this order, that is
 * the frame. Any function: of those that are not bareprof's the result is NOT_SUPPORTED.
 *
 * READ and BLOCK take as long as it takes to copy calls->window bytes, or to code them;
 * RESET and SNAPSHOT go through all counters at the speed of memory.
 */
BAREPROF_API void bareprof_hypercall(struct bareprof_hypercalls *calls, uintptr_t reg[6], void *guest, int privileged);

#ifdef __cplusplus
}
#endif

#endif
