/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c - finds clang's counters and checks their records once, when Xen starts.
 */
#include <xen/init.h>
#include <xen/lib.h>

#include "profile.h"

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

int bareprof_xen_open(struct bareprof_dump *dump)
{
	return bareprof_xen_error ?: bareprof_open(dump, &bareprof_xen);
}

void bareprof_xen_reset(void)
{
	bareprof_reset(&bareprof_xen);
}
