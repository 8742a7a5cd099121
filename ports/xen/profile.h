/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - within the Xen port: the hypervisor as an image with a profile.
 */
#ifndef BAREPROF_PROFILE_H
#define BAREPROF_PROFILE_H

#include "bareprof.h"

extern struct bareprof_image bareprof_xen;

/* enum bareprof_error: why nothing can be read of it. */
extern int bareprof_xen_error;

/* A negative errno for an enum bareprof_error. */
int bareprof_errno(intptr_t error);

#endif
