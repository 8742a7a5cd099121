/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_memory.h - reads the profile of a guest from its memory, before QEMU ends. So a guest that hangs or crashes still
 * has a profile, and also a guest without a runtime.
 */
#ifndef BAREPROF_HOST_GUEST_MEMORY_H
#define BAREPROF_HOST_GUEST_MEMORY_H

#include "dump_receiver.h"
#include "programs.h"
#include "qemu.h"

/* What was read. Starts as all zeros. End with guest_memory_free(). */
struct guest_memory {
	bool tried;
	bool unproven; /* the memory has no build id, so nothing shows that the memory belongs to the program */
	struct buffer capture; /* as the guest would have sent it; empty: it could not be read */
	struct error error; /* the reason why it could not be read, if @tried is true and @capture is empty */
};

/*
 * guest_memory_read - stops all CPUs of @guest, and reads the profile of the first program of @programs: its counters, or
 * if it has none, its machine profile. Does nothing if QEMU has ended or has no monitor of ours. The guest does not run on,
 * so call qemu_end() next.
 */
void guest_memory_read(struct guest_memory *memory, struct guest *guest, const struct programs *programs);

/*
 * guest_memory_use - lets @dump forget all that the guest sent, and take the capture in its place. Then
 * dump_receiver_finish() makes the profile. @dump keeps its completion.
 */
void guest_memory_use(const struct guest_memory *memory, struct dump_receiver *dump);

/*
 * guest_memory_describe - appends a clause that starts with "; " and tells that the profile was read from memory, or why it
 * was not. Appends nothing if nobody tried.
 */
void guest_memory_describe(const struct guest_memory *memory, struct buffer *text);
void guest_memory_free(struct guest_memory *memory);

#endif
