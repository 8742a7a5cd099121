/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.c - the state of the runtime, and the ring for samples. A body that is compiled for mode "calls" gets its order
 * clock from this file.
 */
#include "bareprof/mip.h"

BAREPROF_STATE;
#ifdef BAREPROF_MIP_SAMPLES_MODE
BAREPROF_MIP_RING(1024);
#endif
