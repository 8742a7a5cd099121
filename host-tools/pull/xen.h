/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen.h - the Xen hypervisor below this machine, from its control domain (dom0): one
 * image of that name. With bareprof in it (ports/xen/) or with Xen's own coverage.
 */
#ifndef BAREPROF_HOST_XEN_H
#define BAREPROF_HOST_XEN_H

#include "backend.h"

extern const struct backend backend_xen;

#endif
