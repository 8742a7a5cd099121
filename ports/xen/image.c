/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - the image that represents the hypervisor. profile.c or machine.c describes it when Xen starts.
 */
#include <xen/cache.h>
#include <xen/errno.h>

#include "profile.h"

/* Old trees do not protect variables after the boot. */
#ifndef __ro_after_init
#define __ro_after_init
#endif

struct bareprof_image bareprof_xen; /* a reset changes it */
int __ro_after_init bareprof_xen_error = BAREPROF_E_NO_COUNTERS;

int bareprof_errno(intptr_t error)
{
	switch (error) {
	case BAREPROF_OK:
		return 0;
	case BAREPROF_E_NO_COUNTERS:
	case BAREPROF_E_NO_RECORDS:
		return -ENODATA;
	case BAREPROF_E_STALE:
		return -EAGAIN;
	case BAREPROF_E_NO_SPACE:
		return -ENOBUFS;
	default:
		return -EBADMSG;
	}
}
