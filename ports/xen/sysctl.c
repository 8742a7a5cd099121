/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysctl.c - gives dom0 the profile through XEN_SYSCTL_coverage_op. Dom0 can read the profile as a
 * whole, as xencov does, or in windows (read_at). Xen calls these functions while it holds the lock
 * of all sysctls. This lock also protects the static variables in this file.
 */
#include <xen/errno.h>
#include <xen/event.h>
#include <xen/guest_access.h>
#include <xen/lib.h>
#include <xen/random.h>
#include <xen/sched.h>
#include <public/sysctl.h>

#include "../coverage.h"
#include "profile.h"

/*
 * The maximum number of bytes that one call copies. The call copies them in pieces, and checks
 * after each piece whether the CPU is needed elsewhere.
 */
#define WINDOW_MAX 65536u
static char piece[BAREPROF_BUFFER_MAX] __aligned(8);

static struct bareprof_dump dump;
static struct bareprof_capture capture;

static int open_dump(void)
{
	return bareprof_errno(bareprof_xen_open(&dump));
}

/*
 * Returns the serial. It is never 0, and changes with each reset. All reads with the same serial
 * belong to one profile.
 */
static uint64_t serial_now(void)
{
	return (uint64_t)bareprof_xen.generation + 1;
}

/*
 * Copies at most @n bytes of the raw profile, from byte @offset on. Writes them to the guest's buffer,
 * from offset @at on. Returns the number of copied bytes, or 0 at the end of the raw profile,
 * or a negative errno.
 */
static int copy_piece(XEN_GUEST_HANDLE_PARAM(char) buffer, uint32_t at, size_t offset, uint32_t n)
{
	intptr_t got = bareprof_read(&dump, offset, piece, min_t(size_t, n, sizeof(piece)));

	if (got < 0)
		return bareprof_errno(got);
	return copy_to_guest_offset(buffer, at, piece, got) ? -EFAULT : got;
}

static uint32_t cf_check get_size(void)
{
	return open_dump() ? 0 : dump.size;
}

static void cf_check reset_counters(void)
{
	if (!bareprof_xen_error)
		bareprof_xen_reset();
}

static int cf_check dump_all(XEN_GUEST_HANDLE_PARAM(char) buffer, uint32_t *size)
{
	uint32_t room = *size;
	uint32_t done = 0;
	int n = open_dump();

	if (n)
		return n;
	*size = dump.size;
	if (room < dump.size)
		return -ENOBUFS;
	do {
		n = copy_piece(buffer, done, done, dump.size - done);
		if (n > 0)
			done += n;
	} while (n > 0 && done < dump.size);
	return n < 0 ? n : 0;
}

static int read_window(struct xen_sysctl_coverage_op *op, XEN_GUEST_HANDLE_PARAM(char) buffer, uint32_t room)
{
	int n;

	room = min(room, WINDOW_MAX);
	op->total = dump.size;
	/* After this check, the offset fits into a size_t, because dump.size is a size_t. */
	if (op->offset >= dump.size)
		return 0;
	/* A call that copies nothing would look like the end of the profile. */
	if (!room) {
		op->size = 1;
		return -ENOBUFS;
	}
	do {
		n = copy_piece(buffer, op->size, op->offset + op->size, room - op->size);
		if (n > 0)
			op->size += n;
	} while (n > 0 && op->size < room && !hypercall_preempt_check());
	return n < 0 ? n : 0;
}

static int read_block(struct xen_sysctl_coverage_op *op, XEN_GUEST_HANDLE_PARAM(char) buffer, uint32_t room)
{
	intptr_t n = bareprof_capture_open(&capture, &bareprof_xen, boot_random, piece, sizeof(piece));

	if (n < 0)
		return bareprof_errno(n);
	op->total = capture.blocks;
	if (op->offset >= capture.blocks)
		return 0;
	n = bareprof_block(&capture, op->offset, piece, sizeof(piece));
	if (n < 0)
		return bareprof_errno(n);
	if (n > room) {
		op->size = n;
		return -ENOBUFS;
	}
	if (copy_to_guest_offset(buffer, 0, piece, n))
		return -EFAULT;
	op->size = n;
	return 0;
}

int cov_read_at(struct xen_sysctl_coverage_op *op)
{
	XEN_GUEST_HANDLE_PARAM(char) buffer = guest_handle_cast(op->buffer, char);
	uint32_t room = op->size;
	int error;

	op->size = 0;
	if (op->pad || op->form > XEN_SYSCTL_COVERAGE_capture)
		return -EINVAL;
	error = open_dump();
	if (error)
		return error;
	if (op->serial && op->serial != serial_now())
		return -EAGAIN;
	op->serial = serial_now();
	return op->form == XEN_SYSCTL_COVERAGE_capture ? read_block(op, buffer, room) : read_window(op, buffer, room);
}

const struct cov_sysctl_ops cov_ops = {
	.get_size = get_size,
	.reset_counters = reset_counters,
	.dump = dump_all,
};
