/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_client.c - pulls the hypervisor's profile with the client of hypercall_client.h, in windows and in blocks.
 * Also tests the client with wrong answers, such as those of a broken hypervisor.
 */
#include "console.h"
#include "guest.h"

static uint8_t buffer[PAGE_SIZE] __attribute__((aligned(8)));

static struct bareprof_client client = {
	.call = guest_call,
	.buffer = buffer,
	.size = sizeof(buffer),
};

/* Prints a window in hexadecimal, with its offset. */
static int print_window(void *context, const void *data, size_t n)
{
	const uint8_t *byte = data;
	uint32_t *offset = context;
	size_t i;

	console_printf("\nwindow %u ", *offset);
	for (i = 0; i < n; i++)
		console_printf("%02x", byte[i]);
	*offset += (uint32_t)n;
	return 0;
}

void client_pull(void)
{
	uint32_t offset = 0;
	int error;

	client.address = (uintptr_t)buffer;
	expect(bareprof_client_identify(&client) == 0, "the UID and the revision are bareprof's");
	expect(bareprof_client_snapshot(&client) == 0, "a snapshot");
	/* After the snapshot, the hypervisor's own dump and the pulled profile have the same counts. */
	call_hyper(CALL_DUMP, 0);
	console_puts("== windows");
	error = bareprof_client_read(&client, print_window, &offset);
	console_puts("\n== blocks\n");
	if (!error)
		error = bareprof_client_send(&client, bareprof_encode_text, console_sink, NULL);
	console_puts("== pulled\n");
	if (error)
		console_printf("%s\n", bareprof_client_strerror(error));
	expect(error == 0 && offset > 0, "the profile is pulled in windows, and in blocks");
}

/* Compares the bytes with the profile that the hostile guest has pulled. */
static int compare(void *context, const void *data, size_t n)
{
	uintptr_t *offset = context;

	if (n > hostile.profile_size - *offset || __builtin_memcmp(data, hostile.profile + *offset, n) != 0)
		return 1;
	*offset += n;
	return 0;
}

static void try_instruction(bareprof_make_call instruction, const char *what)
{
	uintptr_t offset = 0;

	client.call = instruction;
	expect(bareprof_client_read(&client, compare, &offset) == 0 && offset == hostile.profile_size, what);
	client.call = guest_call;
}

/*
 * Makes a hypercall, and changes its result as a broken hypervisor might. @context has three numbers: a function, a
 * limit and a wrong result. If a call of this function returns more than the limit, the wrong result replaces the
 * returned result. For INFO, the wrong result always replaces it.
 */
static void lie(void *context, uintptr_t reg[6])
{
	const uintptr_t *lies = context;
	uint32_t function = (uint32_t)reg[0] & 0xffffu;

	guest_call(NULL, reg);
	if (function == lies[0] && (intptr_t)reg[0] > (intptr_t)lies[1])
		reg[0] = lies[2];
	if (function == lies[0] && function == BAREPROF_HYPERCALL_INFO)
		reg[0] = lies[2];
}

static int count(void *context, const void *data, size_t n)
{
	(void)data;
	*(uintptr_t *)context += n;
	return 0;
}

/*
 * Pulls the profile, but if a call of @function returns more than @above, the client gets @result instead. The client
 * must report the wrong answer, and the sink must get no bytes.
 */
static void try_lie(uint32_t function, uintptr_t above, uintptr_t result, const char *what)
{
	uintptr_t lies[3] = {function, above, result};
	uintptr_t bytes = 0;
	int error;

	client.call = lie;
	client.context = lies;
	if (function == BAREPROF_HYPERCALL_BLOCK)
		error = bareprof_client_send(&client, bareprof_encode_frame, count, &bytes);
	else
		error = bareprof_client_read(&client, count, &bytes);
	expect(error == BAREPROF_CLIENT_ANSWER && bytes == 0, what);
	client.call = guest_call;
	client.context = NULL;
}

static int refuse(void *context, const void *data, size_t n)
{
	(void)context;
	(void)data;
	(void)n;
	return 1;
}

static void try_errors(void)
{
	client.size = 64;
	expect(bareprof_client_open(&client, BAREPROF_HYPERCALL_CAPTURE) == BAREPROF_HYPERCALL_NO_SPACE &&
			client.reason > 64 && client.reason <= PAGE_SIZE,
		"the client needs a buffer for the largest block");
	client.size = sizeof(buffer);
	client.address = GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE;
	expect(bareprof_client_read(&client, compare, NULL) == BAREPROF_HYPERCALL_FAULT,
		"the client reports a buffer to which the hypervisor cannot write");
	client.address = (uintptr_t)buffer;
	expect(bareprof_client_read(&client, refuse, NULL) == BAREPROF_CLIENT_SINK,
		"the client stops when the sink refuses the data");
	expect(bareprof_client_open(&client, 2) == BAREPROF_HYPERCALL_ARGUMENT, "the client passes errors of INFO on");
}

static void try_resets(void)
{
	expect(bareprof_client_open(&client, BAREPROF_HYPERCALL_PROFRAW) == 0 && bareprof_client_reset(&client) == 0,
		"the client resets what it has opened");
	expect(bareprof_client_reset(&client) == BAREPROF_HYPERCALL_STALE, "its second reset is stale");
	expect(bareprof_client_open(&client, BAREPROF_HYPERCALL_PROFRAW) == 0 && bareprof_client_fetch(&client, 0) > 0,
		"the first window of a profile");
	call_hyper(CALL_RESET, 0);
	expect(bareprof_client_fetch(&client, 0) == BAREPROF_HYPERCALL_STALE, "a reset by the hypervisor is noticed");
	expect(bareprof_client_snapshot(&client) == 0, "a snapshot after it");
}

void client_try(void)
{
	client.base = hostile.base;
#ifdef __x86_64__
	try_instruction(bareprof_call_vmmcall, "the profile is pulled with vmmcall");
#else
	try_instruction(bareprof_call_hvc, "the profile is pulled with hvc");
	try_instruction(bareprof_call_smc, "the profile is pulled with smc");
#endif
	try_errors();
	try_lie(BAREPROF_HYPERCALL_READ, 0, PAGE_SIZE + 1, "a window larger than the buffer is refused");
	try_lie(BAREPROF_HYPERCALL_READ, 0, 0, "an end in the middle of the profile is refused");
	try_lie(BAREPROF_HYPERCALL_BLOCK, 0, PAGE_SIZE + 1, "a block larger than the buffer is refused");
	try_lie(BAREPROF_HYPERCALL_BLOCK, 0, 0, "an end before the last block is refused");
	try_lie(BAREPROF_HYPERCALL_INFO, 0, 1, "an INFO that is neither success nor error is refused");
	try_resets();
}
