/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - internal to the Xen port: the image that represents the hypervisor.
 */
#ifndef BAREPROF_PROFILE_H
#define BAREPROF_PROFILE_H

#include "bareprof.h"

extern struct bareprof_image bareprof_xen;

/* An enum bareprof_error. It is the reason why the profile cannot be read, or BAREPROF_OK. */
extern int bareprof_xen_error;

/*
 * Opens the raw profile: a .profraw of clang's counters, or a .mipraw of a machine profile. Returns an
 * enum bareprof_error.
 */
int bareprof_xen_open(struct bareprof_dump *dump);

/* Sets all counters to "never run". bareprof_xen_error must be BAREPROF_OK. */
void bareprof_xen_reset(void);

/* Returns the negative errno for an enum bareprof_error, or 0 for BAREPROF_OK. */
int bareprof_errno(intptr_t error);

#endif
