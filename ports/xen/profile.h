/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - shared within the Xen port: the hypervisor as an image.
 */
#ifndef BAREPROF_PROFILE_H
#define BAREPROF_PROFILE_H

#include "bareprof.h"

extern struct bareprof_image bareprof_xen;

/* Why the profile cannot be read, an enum bareprof_error; BAREPROF_OK if it can be read. */
extern int bareprof_xen_error;

/* Converts an enum bareprof_error to a negative errno, or 0 for BAREPROF_OK. */
int bareprof_errno(intptr_t error);

#endif
