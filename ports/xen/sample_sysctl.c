/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_sysctl.c - gives dom0 the samples through XEN_SYSCTL_coverage_op, also if Xen has no coverage. Xen calls these
 * functions while it holds the lock of all sysctls. This lock also protects the static variables in this file.
 */
#include <xen/errno.h>
#include <xen/guest_access.h>
#include <xen/lib.h>
#include <xen/random.h>
#include <xen/sched.h>
#include <public/sysctl.h>
#include <xen/coverage.h>

#include "sample.h"

static struct bareprof_image image; /* the samples that were collected last; its generation is the serial */
/*
 * The samples that were collected have not been read to their end. So the next reader gets them again, because they are
 * no longer in the rings.
 */
static bool unread;

static int read_block(struct xen_sysctl_coverage_op *op, uint32_t room)
{
	static char block[BAREPROF_BUFFER_MAX] __aligned(8);
	static struct bareprof_capture capture;
	intptr_t n;
	int error;

	if (!op->serial && !unread) {
		error = bareprof_xen_sample_collect(&image);
		if (error)
			return error;
		unread = true;
	}
	if (op->serial && op->serial != image.generation)
		return -EAGAIN;
	op->serial = image.generation;
	if (bareprof_capture_samples(&capture, &image, boot_random, block, sizeof(block)))
		return -EBADMSG;
	op->total = capture.blocks;
	if (op->offset >= capture.blocks) {
		unread = false;
		return 0;
	}
	n = bareprof_block(&capture, op->offset, block, sizeof(block));
	if (n < 0)
		return -EBADMSG;
	if (n > room) {
		op->size = n;
		return -ENOBUFS;
	}
	if (copy_to_guest_offset(guest_handle_cast(op->buffer, char), 0, block, n))
		return -EFAULT;
	op->size = n;
	return 0;
}

int bareprof_samples_op(struct xen_sysctl_coverage_op *op)
{
	uint32_t size = op->size;

	if (op->form || op->pad)
		return -EINVAL;
	op->size = 0;
	switch (op->cmd) {
	case XEN_SYSCTL_COVERAGE_samples_read:
		return read_block(op, size);
	case XEN_SYSCTL_COVERAGE_samples_reset:
		unread = false;
		bareprof_xen_sample_reset();
		return 0;
	case XEN_SYSCTL_COVERAGE_samples_rate:
		return bareprof_xen_sample_set_rate(size);
	case XEN_SYSCTL_COVERAGE_samples_info:
		op->size = bareprof_xen_sample_rate();
		op->total = bareprof_xen_sample_interrupts();
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}
