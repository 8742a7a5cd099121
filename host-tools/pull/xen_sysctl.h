/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen_sysctl.h - makes Xen's hypercall for coverage. It uses the privcmd device of the kernel, and does not need Xen's
 * libraries.
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
	XEN_SAMPLES_READ, /* only if Xen takes samples */
	XEN_SAMPLES_RESET,
	XEN_SAMPLES_RATE, /* @size: the rate in Hz, 0: none */
	XEN_SAMPLES_INFO, /* Xen sets @size to the rate, and @total to the number of interrupts */
};

enum xen_form {
	XEN_PROFRAW,
	XEN_CAPTURE
};

/* The operation in Xen's format. The fields from @form on are only for XEN_READ_AT and samples. */
struct xen_coverage_op {
	uint32_t cmd;
	/* size of the buffer in bytes; Xen changes it to the number of bytes that Xen wrote or would need */
	uint32_t size;
	uint64_t buffer; /* address of the buffer */
	uint32_t form;
	uint32_t pad;
	uint64_t offset; /* offset to read from, in bytes, or in blocks of a capture */
	uint64_t total; /* set by Xen: offset of the end, in the unit of @offset */
	/*
	 * 0 in the first call; Xen sets it, and the next call passes it back. If the counters were reset in between,
	 * Xen refuses the call.
	 */
	uint64_t serial;
};

struct xen {
	int fd;
	uint32_t version; /* version of Xen's sysctl interface */
};

/* The device. If it does not exist, xen_open() looks in /proc, where older kernels have it. */
#define XEN_DEVICE "/dev/xen/privcmd"

/* xen_open - opens @device and finds out the interface version. The caller ends with xen_close(). Errors: SYSTEM. */
enum status xen_open(struct xen *xen, const char *device, struct error *error);
void xen_close(struct xen *xen);

/*
 * xen_call - makes Xen do the operation @op. Returns 0. If Xen or the kernel refused the operation, returns the errno.
 */
int xen_call(const struct xen *xen, struct xen_coverage_op *op);

/*
 * xen_buffer - allocates @size bytes of locked memory, which hypercalls need. Returns NULL
 * and sets errno if that fails.
 * xen_buffer_free - frees @buffer, which may be NULL. @size must be the size that was
 * allocated.
 */
void *xen_buffer(size_t size);
void xen_buffer_free(void *buffer, size_t size);

#endif
