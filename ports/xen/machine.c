/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.c - finds the machine profile of the hypervisor once, when Xen starts. It replaces profile.c
 * in a Xen whose functions record that they ran (BAREPROF_KIND=mip).
 */
#include <xen/init.h>
#include <xen/lib.h>

#include "profile.h"

/* Contains the clock of orders. Functions in the mode "calls" use the clock from the first instructions of Xen on. */
BAREPROF_STATE;

static int __init start(void)
{
	bareprof_xen_error = bareprof_mip_image_self(&bareprof_xen);
	if (bareprof_xen_error)
		printk(XENLOG_ERR "bareprof: %s\n", bareprof_strerror(bareprof_xen_error));
	return 0;
}
presmp_initcall(start);

int bareprof_xen_open(struct bareprof_dump *dump)
{
	if (!bareprof_xen_error)
		bareprof_mip_open(dump, &bareprof_xen);
	return bareprof_xen_error;
}

/* The orders begin at 1 again. A function that another CPU calls during the reset may lose its first call. */
void bareprof_xen_reset(void)
{
	bareprof_global_state.clock = 0;
	bareprof_reset(&bareprof_xen);
}
