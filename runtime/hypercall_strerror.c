/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall_strerror.c - returns a sentence for each error of a client of the hypercalls.
 */
#include <bareprof/hypercall_client.h>

const char *bareprof_client_strerror(intptr_t error)
{
	/* This is a switch, because under -fpic a table of pointers would have to be relocated. */
	switch (error) {
	case BAREPROF_OK:
		return "no error";
	case BAREPROF_HYPERCALL_NOT_SUPPORTED:
		return "the hypervisor does not have this function, or no memory for a snapshot";
	case BAREPROF_HYPERCALL_ARGUMENT:
		return "the size of the buffer is 0, or the form is unknown";
	case BAREPROF_HYPERCALL_DENIED:
		return "the hypervisor does not allow this guest to read its profile";
	case BAREPROF_HYPERCALL_FAULT:
		return "the hypervisor cannot write to the address of the buffer";
	case BAREPROF_HYPERCALL_STALE:
		return "counters were reset or copied since the profile was opened: open it again";
	case BAREPROF_HYPERCALL_NO_SPACE:
		return "the buffer is smaller than a block";
	case BAREPROF_HYPERCALL_NONE:
		return "the hypervisor does not have the profile in this form";
	case BAREPROF_CLIENT_SINK:
		return "the sink did not take the data";
	case BAREPROF_CLIENT_ANSWER:
		return "the answer of the hypervisor contradicts its INFO";
	default:
		return "unknown error";
	}
}
