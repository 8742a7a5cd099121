/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall_client.c - makes the hypercalls of docs/SPEC.md, part 3, for a guest.
 *
 * The hypervisor can access all memory of the guest anyway, but its answers may contain wrong lengths. If an answer
 * is longer than the buffer, or contradicts the answer of INFO, the pull ends with an error. So no sink gets bytes
 * that the hypervisor did not write.
 */
#include <bareprof/hypercall_client.h>

/*
 * Makes the hypercall with the number @base + @function. INFO and RESET have only the argument @position. SNAPSHOT
 * has no argument. These functions ignore the other registers. The results replace the arguments in @reg.
 */
static intptr_t call_base(
	struct bareprof_client *client, uintptr_t reg[6], uint32_t base, uint32_t function, uintptr_t position)
{
	reg[0] = base + function;
	reg[1] = position;
	reg[2] = (uintptr_t)client->address;
	reg[3] = reg[4] = client->size;
	reg[5] = client->serial;
	if (base == BAREPROF_HYPERCALL_32)
		reg[3] = (uintptr_t)(client->address >> 32);
	else
		reg[4] = client->serial;
	client->call(client->context, reg);
	client->reason = reg[1];
	return (intptr_t)reg[0];
}

static intptr_t call(struct bareprof_client *client, uintptr_t reg[6], uint32_t function, uintptr_t position)
{
	uint32_t base = client->base;

	if (!base)
		base = sizeof(*reg) == 8 ? BAREPROF_HYPERCALL_64 : BAREPROF_HYPERCALL_32;
	return call_base(client, reg, base, function, position);
}

/* For calls that return only 0 or an error. Returns @result, or BAREPROF_CLIENT_ANSWER if @result is above 0. */
static int status(intptr_t result)
{
	return result > 0 ? BAREPROF_CLIENT_ANSWER : (int)result;
}

int bareprof_client_identify(struct bareprof_client *client)
{
	uintptr_t reg[6];

	/* UID and REVISION exist only as 32-bit functions. */
	if ((uint32_t)call_base(client, reg, BAREPROF_HYPERCALL_32, BAREPROF_HYPERCALL_UID, 0) !=
			BAREPROF_HYPERCALL_UID_0 ||
		(uint32_t)reg[1] != BAREPROF_HYPERCALL_UID_1 || (uint32_t)reg[2] != BAREPROF_HYPERCALL_UID_2 ||
		(uint32_t)reg[3] != BAREPROF_HYPERCALL_UID_3)
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	/* A later version with the same major number has the same functions, and may have more. */
	if (call_base(client, reg, BAREPROF_HYPERCALL_32, BAREPROF_HYPERCALL_REVISION, 0) != BAREPROF_HYPERCALL_MAJOR)
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	return BAREPROF_OK;
}

int bareprof_client_snapshot(struct bareprof_client *client)
{
	uintptr_t reg[6];

	return status(call(client, reg, BAREPROF_HYPERCALL_SNAPSHOT, 0));
}

int bareprof_client_open(struct bareprof_client *client, uintptr_t form)
{
	uintptr_t reg[6];
	int error = status(call(client, reg, BAREPROF_HYPERCALL_INFO, form));

	if (error)
		return error;
	client->form = form;
	client->total = reg[1];
	client->serial = reg[2];
	client->maximum = reg[3];
	if (form && client->maximum > client->size) {
		client->reason = client->maximum;
		return BAREPROF_HYPERCALL_NO_SPACE;
	}
	return BAREPROF_OK;
}

intptr_t bareprof_client_fetch(struct bareprof_client *client, uintptr_t position)
{
	uintptr_t reg[6];
	intptr_t n = call(client, reg, client->form ? BAREPROF_HYPERCALL_BLOCK : BAREPROF_HYPERCALL_READ, position);
	uintptr_t left = position < client->total ? client->total - position : 0;
	uintptr_t n_max = client->size;

	if (n < 0)
		return n;
	/* A block that exists is never empty. A window ends at the end of the .profraw. */
	if (!left || (!client->form && left < n_max))
		n_max = left;
	return (uintptr_t)n > n_max || (left && !n) ? BAREPROF_CLIENT_ANSWER : n;
}

/*
 * If @encode is NULL, passes all windows of the .profraw to @sink. Otherwise passes all blocks of the capture to the
 * encoder @encode, which passes the encoded bytes to @sink.
 */
static int pull(struct bareprof_client *client, bareprof_encoder encode, bareprof_sink sink, void *context)
{
	uintptr_t position = 0;
	intptr_t n = bareprof_client_open(client, encode ? BAREPROF_HYPERCALL_CAPTURE : BAREPROF_HYPERCALL_PROFRAW);

	if (n)
		return (int)n;
	/* The last fetch has 0 bytes. It confirms that the data before it have the same serial. */
	while ((n = bareprof_client_fetch(client, position)) > 0) {
		if (encode ? encode(client->buffer, (size_t)n, sink, context)
			   : sink(context, client->buffer, (size_t)n))
			return BAREPROF_CLIENT_SINK;
		position += encode ? 1 : (uintptr_t)n;
		BAREPROF_YIELD();
	}
	return (int)n;
}

int bareprof_client_read(struct bareprof_client *client, bareprof_sink sink, void *context)
{
	return pull(client, NULL, sink, context);
}

int bareprof_client_send(struct bareprof_client *client, bareprof_encoder form, bareprof_sink sink, void *context)
{
	return pull(client, form, sink, context);
}

int bareprof_client_reset(struct bareprof_client *client)
{
	uintptr_t reg[6];

	return status(call(client, reg, BAREPROF_HYPERCALL_RESET, client->serial));
}
