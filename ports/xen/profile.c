/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c - finds and checks the image once, when Xen starts.
 */
#include <xen/cache.h>
#include <xen/errno.h>
#include <xen/init.h>
#include <xen/lib.h>

#include "profile.h"

/* Old trees do not protect variables after the boot. */
#ifndef __ro_after_init
#define __ro_after_init
#endif

struct bareprof_image bareprof_xen; /* a reset changes it */
int __ro_after_init bareprof_xen_error = BAREPROF_E_NO_COUNTERS;

static int __init start(void)
{
	struct bareprof_image *image = &bareprof_xen;
	struct bareprof_dump dump;
	uint32_t record = 0;
	int error = bareprof_image_self(image);

	if (error == BAREPROF_E_OVERLAP && bareprof_fix_weak_duplicates(image) > 0)
		error = bareprof_image_self(image);
	if (error == BAREPROF_E_RECORD)
		error = bareprof_diagnose(image, &record);
	/* Opens a .profraw once, so that a missing section is reported at boot. */
	if (!error)
		error = bareprof_open(&dump, image);
	if (error == BAREPROF_E_RECORD || error == BAREPROF_E_MIXED)
		printk(XENLOG_ERR "bareprof: record %u: %s\n", record, bareprof_strerror(error));
	else if (error)
		printk(XENLOG_ERR "bareprof: %s\n", bareprof_strerror(error));
	bareprof_xen_error = error;
	return 0;
}
presmp_initcall(start);

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
