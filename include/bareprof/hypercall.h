/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.h - hypercalls by which a guest pulls the hypervisor's profile.
 *
 * This header first defines the ABI, for guest and hypervisor. docs/SPEC.md, part 3,
 * explains every bit of the ABI. Then the header declares the functions with which a
 * hypervisor serves the calls. This is a complete example. The hypervisor has the type struct
 * vcpu, and the functions whose names do not begin with bareprof_ or coverage_:
 *
 *	static char lock;
 *	static struct bareprof_image image;
 *	static uint64_t page[512];
 *	static struct bareprof_hypercalls calls = {.image = &image, .buffer = page, .window = sizeof(page),
 *		.copy = copy_to_guest, .open = bareprof_capture_open};
 *
 *	int coverage_start(void)
 *	{
 *		int error = bareprof_image_self(&image);
 *
 *		if (error)
 *			return error;
 *		calls.nonce = cycle_counter();
 *		calls.memory_size = BAREPROF_SNAPSHOT_SIZE(&image);
 *		calls.memory = hyper_alloc(calls.memory_size);
 *		bareprof_hypercalls_start(&calls);
 *		return 0;
 *	}
 *
 *	void coverage_call(struct vcpu *vcpu, uintptr_t *reg)
 *	{
 *		spin_lock(&lock);
 *		if (calls.of)
 *			bareprof_hypercall(&calls, reg, vcpu, vcpu->privileged);
 *		else
 *			reg[0] = (uintptr_t)BAREPROF_HYPERCALL_NOT_SUPPORTED;
 *		spin_unlock(&lock);
 *	}
 *
 * coverage_start() is called once, before other CPUs run. If it fails, bareprof_strerror()
 * has the reason, and guests get NOT_SUPPORTED. The size of the snapshot is known only at
 * run time. If hyper_alloc() returns NULL, only SNAPSHOT is not supported. The trap handler
 * passes all hypercalls that it does not know to coverage_call(). docs/PORTING-HYPERVISOR.md
 * has this example in a hypervisor that boots, and hypercall_client.h has the guest's side.
 *
 * The guest may be hostile. Whatever the registers contain, the work of a call is
 * bounded, and only the function `copy` writes memory of the guest. `copy` checks the
 * address before it writes.
 */
#ifndef BAREPROF_HYPERCALL_H
#define BAREPROF_HYPERCALL_H

#include <bareprof/capture.h>
#include <bareprof/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The numbers of the functions follow Arm's SMC Calling Convention (SMCCC). The functions
 * are fast calls of the owner "vendor specific hypervisor service", with 64-bit or 32-bit
 * registers. CPUs without SMCCC use the same numbers.
 *
 *	          function  arguments   results   instruction
 *	AArch64   w0        x1 to x5    x0 to x3  hvc #0
 *	Armv7-A   r0        r1 to r5    r0 to r3  hvc #0
 *	x86_64    eax       rdi, rsi,   rax, rdi, vmmcall (AMD),
 *	                    rdx, r10,   rsi, rdx  vmcall (Intel);
 *	                    r8                    from 64-bit code
 *
 * All other registers keep their contents, and the stack is not used. The first result is 0
 * or more if the call succeeded. After an error it is an enum bareprof_hypercall_error,
 * sign-extended to the width of the register. If the comment of a function does not mention
 * a result, this result is 0.
 *
 * 64-bit functions pass each number in one register. 32-bit functions use only the lower 32
 * bits of each register. They pass an address in two registers: first the lower 32 bits,
 * then the upper 32 bits. A 32-bit hypervisor has only the 32-bit functions.
 */
#define BAREPROF_HYPERCALL_32 0x86000000u
#define BAREPROF_HYPERCALL_64 0xc6000000u

/*
 * The number of the first function, INFO. The next four functions have the next four
 * numbers. To call a function, the guest adds the function's number to one of the two bases
 * above. If the hypervisor already uses these numbers for other functions, compile its
 * dispatcher and its guests with another BAREPROF_HYPERCALL_FIRST. All five numbers must be
 * 0xefff or less.
 */
#ifndef BAREPROF_HYPERCALL_FIRST
#define BAREPROF_HYPERCALL_FIRST 0x4250u
#endif

/*
 * INFO(form) - describes the profile that can be read. Has no side effects. The first
 * result is 0. The other three results are:
 *
 *	form 0, a .profraw:  its size in bytes      serial   maximum bytes of one READ
 *	form 1, a capture:   its number of blocks   serial   maximum bytes of one block
 *
 * Errors: DENIED; ARGUMENT if @form is not 0 or 1; NONE if the profile is not available in
 * this form; NOT_SUPPORTED if the hypervisor serves no captures, or if the size does not
 * fit into the guest's registers.
 */
#define BAREPROF_HYPERCALL_INFO (BAREPROF_HYPERCALL_FIRST + 0)

/*
 * READ(offset, address, length, serial) - copies @length bytes of the .profraw, from
 * byte @offset on, to the guest's memory at @address. Copies fewer bytes if @length is
 * above the maximum that INFO returned, or if the .profraw ends earlier.
 *
 * Returns the number of bytes copied, which is 0 if @offset is at the end of the .profraw
 * or beyond. A result of 0 also confirms that there was no reset since the INFO that
 * returned @serial, so all windows belong to one profile. Without a SNAPSHOT the counters
 * continue to count between two windows, with the effects that bareprof_read() describes.
 * Windows whose sizes are multiples of 8 bytes cut no counter. Errors: DENIED; ARGUMENT
 * if @length is 0; STALE; FAULT; NONE.
 */
#define BAREPROF_HYPERCALL_READ (BAREPROF_HYPERCALL_FIRST + 1)

/*
 * BLOCK(index, address, length, serial) - copies block @index of the capture to the
 * guest's memory at @address, which has @length bytes. The first block has @index 0.
 *
 * Returns the size of the block in bytes, or 0 if there is no block @index. Blocks
 * may be copied in any order and any number of times. Errors: those of READ; NO_SPACE
 * if @length is too small (then the second result is the size of the block); NOT_SUPPORTED
 * if the hypervisor serves no captures.
 */
#define BAREPROF_HYPERCALL_BLOCK (BAREPROF_HYPERCALL_FIRST + 2)

/*
 * RESET(serial) - sets the hypervisor's counters to their start value, if @serial is still
 * the current serial. After that @serial is stale, and a copy that SNAPSHOT made is
 * discarded. Counts made between the last READ (or the SNAPSHOT) and the RESET are lost.
 * Errors: DENIED; STALE.
 */
#define BAREPROF_HYPERCALL_RESET (BAREPROF_HYPERCALL_FIRST + 3)

/*
 * SNAPSHOT() - copies the counters. INFO, READ and BLOCK use this copy until the next
 * SNAPSHOT or RESET. Earlier serials become stale. Errors: DENIED; NOT_SUPPORTED if the
 * hypervisor has no memory for the copy.
 */
#define BAREPROF_HYPERCALL_SNAPSHOT (BAREPROF_HYPERCALL_FIRST + 4)

/*
 * UID() and REVISION() - identify the service. SMCCC requires these two functions of every
 * service. They are 32-bit functions that any guest may call. UID returns
 * 62ec6ecd-2f80-4eea-bf71-66280990d948 in the four results. REVISION returns the major
 * number in the first result and the minor number in the second. If the hypervisor also has
 * vendor specific functions of its own, it answers UID and REVISION itself, and does not
 * pass these two calls to bareprof.
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

/* The errors of hypercalls. The first two errors have the same numbers as in SMCCC. */
enum bareprof_hypercall_error {
	BAREPROF_HYPERCALL_NOT_SUPPORTED = -1, /* this hypervisor does not have the function */
	BAREPROF_HYPERCALL_ARGUMENT = -3, /* an argument that is never valid */
	BAREPROF_HYPERCALL_DENIED = -4, /* this caller has no permission */
	BAREPROF_HYPERCALL_FAULT = -5, /* the guest has no right to write to a part of the memory at the address */
	BAREPROF_HYPERCALL_STALE = -6, /* a reset or snapshot after INFO made the serial stale: start again */
	BAREPROF_HYPERCALL_NO_SPACE = -7, /* the block is larger than @length; the second result is its size */
	BAREPROF_HYPERCALL_NONE =
		-8, /* not available in this form; the second result is the reason: -1 times an enum bareprof_error */
};

/*
 * True if @function, a number of 32 bits, is the number of one of the five functions INFO to
 * SNAPSHOT. Each of these functions has two numbers: one for 32-bit registers, and one for
 * 64-bit registers. A hypervisor that has other functions too can use this macro to dispatch.
 */
#define BAREPROF_IS_HYPERCALL(function)                                                                                \
	(((uint32_t)(function) & ~0x40000000u) - BAREPROF_HYPERCALL_32 - BAREPROF_HYPERCALL_FIRST < 5u)

/*
 * bareprof_guest_copy - copies @n bytes at @from to the guest's memory at
 * address @to. @guest is the pointer that was passed to bareprof_hypercall(). The
 * hypervisor implements this function. @to + @n does not wrap. The function must check the
 * whole range before it copies. If the range has a byte to which the guest has no right to
 * write, the function copies nothing and returns @n. Otherwise it returns 0. The result is
 * the number of bytes that were NOT copied.
 *
 * The hypervisor decides whether @to is a physical or a virtual address of the guest.
 * bareprof works with both kinds of addresses. Physical addresses are easier to check.
 *
 * bareprof_hypercall() calls this function at most once, on the CPU on which
 * bareprof_hypercall() itself runs, before it returns. If the CPU on which the guest made
 * the call also runs bareprof_hypercall(), the current translation tables of this CPU are
 * those of @guest. If the hypervisor passes calls on to another CPU or thread, the current
 * tables may belong to another guest. Then the function must use the tables of @guest. The
 * function runs while the lock of struct bareprof_hypercalls is held. So
 * it must not sleep, and must not call bareprof. No other CPU may take the memory from the
 * guest between the check and the copy.
 */
typedef size_t (*bareprof_guest_copy)(void *guest, uint64_t to, const void *from, size_t n);

/* A function that opens a capture: bareprof_capture_open() or bareprof_capture_values(). */
typedef int (*bareprof_open_capture)(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * The profile that guests can read. The hypervisor owns this struct and sets the fields up
 * to memory_size. bareprof_hypercalls_start() and bareprof_hypercall() use this struct, and
 * only one CPU at a time may be in these two functions. To ensure this, hold a lock during
 * each call. The comment of bareprof_hypercall() explains how long each call takes.
 */
struct bareprof_hypercalls {
	struct bareprof_image *image; /* the image of the hypervisor, which bareprof_image_init() has accepted */
	bareprof_guest_copy copy;
	void *buffer; /* aligned as a uint64_t; each window is built in this buffer and then copied to the guest */
	size_t window; /* size of the buffer, for captures at least BAREPROF_BLOCK_MIN: the most that one call copies */
	bareprof_open_capture open; /* opens a capture; NULL: no captures, and BLOCK returns NOT_SUPPORTED */
	size_t nonce; /* the nonce of captures, see bareprof_capture_open() */
	void *memory; /* memory for a snapshot, aligned as a uint64_t; NULL: SNAPSHOT returns NOT_SUPPORTED */
	size_t memory_size; /* size of memory in bytes, at least BAREPROF_SNAPSHOT_SIZE(image) */
	/* The functions below set the following fields, which the hypervisor may read. */
	const struct bareprof_image *of; /* the image that guests read: equal to image, or &snapshot after a SNAPSHOT */
	struct bareprof_image snapshot;
	struct bareprof_dump dump;
	struct bareprof_capture capture;
	int dump_error;
	int capture_error;
	size_t generation; /* epoch of *of at the time when *of was opened */
	uint32_t serial;
};

/*
 * bareprof_hypercalls_start - makes the live counters of calls->image available to guests.
 * If the hypervisor calls this function again, earlier serials become stale, and a snapshot
 * is discarded.
 *
 * If the image has value sites, call bareprof_values_hold() before this function. Release
 * the lists only when guests do not need the profile any more. After a release, the next
 * INFO opens the image again. Time is linear in the number of blocks of a capture.
 */
BAREPROF_API void bareprof_hypercalls_start(struct bareprof_hypercalls *calls);

/*
 * bareprof_hypercall - serves one call of a guest. @guest is a pointer that bareprof only
 * passes to calls->copy().
 *
 * @reg points to six registers: the number of the function and its arguments, in the order
 * of the table of registers at the top of this header. The four results replace the first
 * four registers. You can pass a saved register frame if it contains x0 to x5, or r0 to r5,
 * in this order. If the function is not one of bareprof's, the result is NOT_SUPPORTED.
 *
 * @privileged is non-zero if this guest may use the five functions INFO to SNAPSHOT.
 * If @privileged is 0, these functions return DENIED. Pass 0 for the user mode of guests.
 * Also pass 0 for all guests that must not learn anything about other guests, because the
 * hypervisor's counts show what each guest does.
 *
 * A READ takes at most the time to copy calls->window bytes, and a BLOCK at most the time
 * to code this number of bytes. A RESET takes the time to fill the memory of all counters,
 * and a SNAPSHOT takes the time to copy this memory.
 */
BAREPROF_API void bareprof_hypercall(struct bareprof_hypercalls *calls, uintptr_t reg[6], void *guest, int privileged);

#ifdef __cplusplus
}
#endif

#endif
