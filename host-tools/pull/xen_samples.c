/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen_samples.c - reads the samples of the hypervisor's program counter.
 */
#include "xen_samples.h"
#include "../ports/linux/debugfs_names.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>

bool xen_has_samples(const struct xen *xen)
{
	struct xen_coverage_op op = {.cmd = XEN_SAMPLES_INFO};

	return xen_call(xen, &op) == 0;
}

enum status xen_samples_read(const struct xen *xen, void *buffer, uint32_t size, data_sink *sink, void *context,
	int *code, struct error *error)
{
	static const uint8_t magic[] = BAREPROF_FILE_MAGIC;
	struct xen_coverage_op op = {0};
	enum status status = sink(context, (struct bytes){magic, BAREPROF_FILE_MAGIC_SIZE}, error);
	uint64_t serial = 0;
	uint64_t block = 0;

	*code = 0;
	/* Xen gives no bytes after the last block. This call tells Xen that the samples were read. */
	do {
		op = (struct xen_coverage_op){
			.cmd = XEN_SAMPLES_READ,
			.size = size,
			.buffer = (uintptr_t)buffer,
			.offset = block++,
			.serial = serial,
		};
		if (status != STATUS_OK)
			return status;
		*code = xen_call(xen, &op);
		if (!*code && op.size > size)
			*code = EIO;
		if (*code)
			return STATUS_SYSTEM;
		serial = op.serial;
		if (op.size)
			status = sink(context, (struct bytes){buffer, op.size}, error);
	} while (op.size);
	return status;
}

enum status xen_samples_info(const struct xen *xen, data_sink *sink, void *context, int *code, struct error *error)
{
	struct xen_coverage_op op = {.cmd = XEN_SAMPLES_INFO};
	struct buffer text = {0};
	enum status status;

	*code = xen_call(xen, &op);
	if (*code)
		return STATUS_SYSTEM;
	buffer_printf(&text, BAREPROF_INFO_STATE ": " BAREPROF_STATE_LIVE "\n" BAREPROF_INFO_KIND ": samples\n");
	buffer_printf(&text, BAREPROF_INFO_SAMPLE_RATE ": %" PRIu32 "\n", op.size);
	buffer_printf(&text, BAREPROF_INFO_INTERRUPTS ": %" PRIu64 "\n", op.total);
	buffer_printf(&text, "interface version: 0x%x\n", xen->version);
	status = sink(context, (struct bytes){text.data, text.size}, error);
	buffer_free(&text);
	return status;
}
