/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.c - the state of the runtime. A body that is compiled for mode "calls" gets its order clock from this file. */
#include "bareprof/state.h"

BAREPROF_STATE;
