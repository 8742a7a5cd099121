/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - shared within the Xen port: the hypervisor as an image.
 */
#ifndef BAREPROF_PROFILE_H
#define BAREPROF_PROFILE_H

#include "bareprof.h"

extern struct bareprof_image bareprof_xen;

/* BAREPROF_OK if the profile can be read, otherwise the reason, an enum bareprof_error. */
extern int bareprof_xen_error;

/* Returns the negative errno for an enum bareprof_error, or 0 for BAREPROF_OK. */
int bareprof_errno(intptr_t error);

#endif
