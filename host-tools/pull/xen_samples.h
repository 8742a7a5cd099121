/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen_samples.h - reads the samples of the hypervisor's program counter, if Xen was built with CONFIG_BAREPROF_SAMPLES.
 * If Xen or the kernel refuses a call, the functions set *@code to the errno and return SYSTEM, but set no error.
 * Otherwise they set *@code to 0.
 */
#ifndef BAREPROF_HOST_XEN_SAMPLES_H
#define BAREPROF_HOST_XEN_SAMPLES_H

#include "backend.h"
#include "xen_sysctl.h"

bool xen_has_samples(const struct xen *xen);

/*
 * xen_samples_read - passes a capture of the samples to @sink. Xen removes these samples from its memory when all of them
 * were read. @buffer has @size bytes, and comes from xen_buffer(). Errors: SYSTEM, and those of @sink.
 */
enum status xen_samples_read(const struct xen *xen, void *buffer, uint32_t size, data_sink *sink, void *context,
	int *code, struct error *error);

/* xen_samples_info - passes the lines of an ITEM_INFO to @sink. Errors: SYSTEM, and those of @sink. */
enum status xen_samples_info(const struct xen *xen, data_sink *sink, void *context, int *code, struct error *error);

#endif
