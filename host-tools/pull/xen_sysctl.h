/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen_sysctl.h - Xen's hypercall for coverage, through the privcmd device of the kernel and
 * without Xen's libraries.
 */
#ifndef BAREPROF_HOST_XEN_SYSCTL_H
#define BAREPROF_HOST_XEN_SYSCTL_H

#include "bytes.h"
#include "error.h"

enum xen_coverage {
	XEN_GET_SIZE,
	XEN_READ,
	XEN_RESET,
	XEN_READ_AT, /* only if Xen has bareprof */
};

enum xen_form {
	XEN_PROFRAW,
	XEN_CAPTURE
};

/* The operation in Xen's format. The fields from @form on are only for XEN_READ_AT. */
struct xen_coverage_op {
	uint32_t cmd;
	uint32_t size; /* of the buffer, in bytes; Xen sets it to the number of bytes that it wrote or would need */
	uint64_t buffer; /* address of the buffer */
	uint32_t form;
	uint32_t pad;
	uint64_t offset; /* in bytes, or in blocks of a capture */
	uint64_t total; /* set by Xen: the end, in the same unit */
	uint64_t serial; /* 0 at first, then the value that Xen has set: it changes when the counters are reset */
};

struct xen {
	int fd;
	uint32_t version; /* version of Xen's sysctl interface */
};

/* The device. Older kernels have it in /proc, where xen_open() looks if this one does not exist. */
#define XEN_DEVICE "/dev/xen/privcmd"

/* xen_open - opens @device and finds out the interface version. The caller ends with xen_close(). Errors: SYSTEM. */
enum status xen_open(struct xen *xen, const char *device, struct error *error);
void xen_close(struct xen *xen);

/* xen_call - has Xen do one operation. Returns 0, or the errno with which Xen or the kernel refused it. */
int xen_call(const struct xen *xen, struct xen_coverage_op *op);

/*
 * xen_buffer - allocates @size bytes of locked memory, which hypercalls need. Returns NULL, with
 * errno set, if that fails. xen_buffer_free - frees it; @size must be the same, and @buffer may
 * be NULL.
 */
void *xen_buffer(size_t size);
void xen_buffer_free(void *buffer, size_t size);

#endif
