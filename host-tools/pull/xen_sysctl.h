/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen_sysctl.h - the one hypercall of Xen's that coverage needs, through the kernel's
 * privcmd device; no library of Xen's.
 */
#ifndef BAREPROF_HOST_XEN_SYSCTL_H
#define BAREPROF_HOST_XEN_SYSCTL_H

#include "bytes.h"
#include "error.h"

enum xen_coverage {
	XEN_GET_SIZE,
	XEN_READ,
	XEN_RESET,
	XEN_READ_AT, /* of bareprof in Xen alone */
};

enum xen_form {
	XEN_PROFRAW,
	XEN_CAPTURE
};

/* The operation as Xen has it; from form on for XEN_READ_AT alone. */
struct xen_coverage_op {
	uint32_t cmd;
	uint32_t size; /* of the buffer; back come the bytes in it, or those that it would take */
	uint64_t buffer; /* its address */
	uint32_t form;
	uint32_t pad;
	uint64_t offset; /* bytes, or blocks of a capture */
	uint64_t total; /* comes back: the same of all that there is */
	uint64_t serial; /* 0, then what came back: that of the generation of counters */
};

struct xen {
	int fd;
	uint32_t version; /* of the interface of sysctls */
};

/* Where kernels have it; older ones in /proc, where xen_open() then looks. */
#define XEN_DEVICE "/dev/xen/privcmd"

/* xen_open - open @device, and find out the version; end with xen_close(). Errors: SYSTEM. */
enum status xen_open(struct xen *xen, const char *device, struct error *error);
void xen_close(struct xen *xen);

/* xen_call - one operation. Returns 0, or the errno with which Xen or the kernel refused it. */
int xen_call(const struct xen *xen, struct xen_coverage_op *op);

/*
 * xen_buffer - @size bytes of memory that stays where it is, as hypercalls want it; NULL if
 * there is none. xen_buffer_free() takes the same size.
 */
void *xen_buffer(size_t size);
void xen_buffer_free(void *buffer, size_t size);

#endif
