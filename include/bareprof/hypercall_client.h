/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall_client.h - the guest's side of hypercall.h: pulls the hypervisor's profile. The
 * guest itself need not be instrumented. An example, for a guest whose addresses are equal
 * to its physical addresses:
 *
 *	static uint64_t page[512];
 *	static struct bareprof_client client = {.call = bareprof_call_hvc, .buffer = page, .size = sizeof(page)};
 *
 *	int pull(void)
 *	{
 *		int error;
 *
 *		client.address = (uintptr_t)page;
 *		do {
 *			error = bareprof_client_snapshot(&client);
 *			if (!error)
 *				error = bareprof_client_send(&client, bareprof_encode_text, put, NULL);
 *		} while (error == BAREPROF_HYPERCALL_STALE);
 *		return error;             bareprof_client_strerror() explains it
 *	}
 *
 * put() is a sink of the guest, see capture.h. The lines on the guest's console are a dump
 * of the hypervisor. `bareprof pull --elf HYPERVISOR` reads this dump.
 *
 * Only one CPU at a time may use a struct bareprof_client. Several CPUs, or several guests,
 * may pull at the same time, each with its own struct and buffer. A RESET or SNAPSHOT of
 * one of them makes the pulls of the others stale.
 */
#ifndef BAREPROF_HYPERCALL_CLIENT_H
#define BAREPROF_HYPERCALL_CLIENT_H

#include <bareprof/hypercall.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * bareprof_make_call - makes one hypercall. Before the hypercall, the function loads reg[0] to
 * reg[5] into registers, in the order of the table at the top of hypercall.h. After the
 * hypercall, the function stores the four results in reg[0] to reg[3]. @context is
 * client->context.
 *
 * Write a function of your own if a call needs more than one instruction, for example a change of the CPU's mode.
 * Otherwise use one of these functions:
 *
 *	bareprof_call_hvc      AArch64, Armv7-A
 *	bareprof_call_smc      AArch64, Armv7-A; for a hypervisor that traps smc
 *	bareprof_call_vmcall   x86_64 on a CPU of Intel
 *	bareprof_call_vmmcall  x86_64 on a CPU of AMD
 *
 * Call them in the guest's kernel, because only the kernel may make hypercalls. If there is no hypervisor, the
 * processor treats the instruction as undefined. In user programs, it always treats the instruction hvc as undefined.
 */
typedef void (*bareprof_make_call)(void *context, uintptr_t reg[6]);

BAREPROF_API void bareprof_call_hvc(void *context, uintptr_t reg[6]);
BAREPROF_API void bareprof_call_smc(void *context, uintptr_t reg[6]);
BAREPROF_API void bareprof_call_vmcall(void *context, uintptr_t reg[6]);
BAREPROF_API void bareprof_call_vmmcall(void *context, uintptr_t reg[6]);

/*
 * The state of a client. The guest owns this struct and sets the fields from call to size. The functions below set
 * all other fields, and the guest may read them.
 */
struct bareprof_client {
	bareprof_make_call call;
	void *context; /* the first argument of call */
	uint32_t base; /* BAREPROF_HYPERCALL_64 or _32; 0 selects the width of the guest's registers */
	void *buffer; /* each window or block arrives in this memory */
	uint64_t address; /* of the buffer, as the hypervisor expects addresses: usually the physical address */
	size_t size; /* of the buffer in bytes; the buffer must be contiguous at @address */
	uintptr_t form; /* the form that bareprof_client_open() opened */
	uintptr_t total; /* bytes of the .profraw, or blocks of the capture */
	uintptr_t serial; /* identifies the data that are open */
	uintptr_t maximum; /* the maximum bytes of one window, or of one block */
	uintptr_t reason; /* after NONE: -1 times an enum bareprof_error; after NO_SPACE: size of the largest block */
};

/* Two errors that only the client returns. The numbers are not those of any hypervisor's error. */
enum bareprof_client_error {
	BAREPROF_CLIENT_SINK = -100, /* the sink returned a number other than 0 */
	BAREPROF_CLIENT_ANSWER = -101, /* the hypervisor's answer contradicts its INFO, so the answer was not used */
};

/*
 * bareprof_client_identify - asks the hypervisor for its UID and REVISION. Returns 0 if
 * they are bareprof's, otherwise NOT_SUPPORTED. A hypervisor with vendor specific functions of its own
 * has a UID of its own, so it can serve profiles although this function fails.
 */
BAREPROF_API int bareprof_client_identify(struct bareprof_client *client);

/*
 * bareprof_client_snapshot - makes the hypervisor copy its counters. All data that are read
 * after this call come from the copy. Returns 0 or an enum bareprof_hypercall_error.
 * NOT_SUPPORTED means that the hypervisor has no memory for the copy. A pull is possible without a
 * snapshot too.
 */
BAREPROF_API int bareprof_client_snapshot(struct bareprof_client *client);

/*
 * bareprof_client_open - calls INFO, and sets the fields total, serial and maximum. @form
 * is BAREPROF_HYPERCALL_PROFRAW or BAREPROF_HYPERCALL_CAPTURE. Returns 0 or an enum
 * bareprof_hypercall_error. NO_SPACE: client->size is smaller than the largest block, which
 * has client->reason bytes.
 */
BAREPROF_API int bareprof_client_open(struct bareprof_client *client, uintptr_t form);

/*
 * bareprof_client_fetch - copies one window or one block to client->buffer.
 * bareprof_client_open() must have succeeded. If it opened the form PROFRAW, @position is
 * an offset in the .profraw. If it opened the form CAPTURE, @position is the index of a
 * block.
 *
 * Returns the number of bytes in the buffer, or 0 if @position is at the end of the data or after the end. Returns an
 * enum bareprof_hypercall_error or BAREPROF_CLIENT_ANSWER after an error. After STALE, discard everything that was
 * fetched before, and begin again with bareprof_client_open().
 */
BAREPROF_API intptr_t bareprof_client_fetch(struct bareprof_client *client, uintptr_t position);

/*
 * bareprof_client_read - opens the form PROFRAW and passes the whole .profraw to @sink, in
 * windows, from the first byte to the last. @sink gets up to client->size bytes per call.
 *
 * bareprof_client_send - opens the form CAPTURE and passes the blocks to the encoder,
 * one after the other. @form is the encoder. The encoder passes its bytes to @sink.
 *
 * @context is the first argument of @sink. Both functions return 0 if the sink took all bytes, and no reset or
 * SNAPSHOT came during the pull. Otherwise they return an error of bareprof_client_open() or bareprof_client_fetch(),
 * or BAREPROF_CLIENT_SINK. After an error the sink may have got a part of the data. A sink that writes a file must
 * then start the file again. A dump on a console needs no repair, because the host program ignores an incomplete dump
 * if a later dump is complete. Time is linear in the size of the profile. After each window or block the functions
 * call BAREPROF_YIELD().
 */
BAREPROF_API int bareprof_client_read(struct bareprof_client *client, bareprof_sink sink, void *context);
BAREPROF_API int bareprof_client_send(
	struct bareprof_client *client, bareprof_encoder form, bareprof_sink sink, void *context);

/*
 * bareprof_client_reset - makes the hypervisor reset its counters. Call this function when the profile is stored
 * safely. Returns 0 or an enum bareprof_hypercall_error. If another reset or snapshot came after
 * bareprof_client_open(), the counters are not reset and the result is STALE.
 */
BAREPROF_API int bareprof_client_reset(struct bareprof_client *client);

/* bareprof_client_strerror - returns a sentence for each result of the functions above. */
BAREPROF_API const char *bareprof_client_strerror(intptr_t error);

#ifdef __cplusplus
}
#endif

#endif
