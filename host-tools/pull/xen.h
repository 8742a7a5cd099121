/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xen.h - the backend for the Xen hypervisor on which this machine runs. The machine must be
 * Xen's control domain (dom0). The backend has an image called xen if Xen was built with bareprof (ports/xen/) or with
 * its own coverage, and an image called samples if Xen can take samples.
 */
#ifndef BAREPROF_HOST_XEN_H
#define BAREPROF_HOST_XEN_H

#include "backend.h"

extern const struct backend backend_xen;

#endif
