/* SPDX-License-Identifier: BSD-2-Clause */
/* plain.c - calls the runtime. It is not instrumented. */
#include <bareprof/mip.h>

int prepare(void);

struct bareprof_image image;
BAREPROF_STATE;

int prepare(void)
{
	return bareprof_mip_start(&image);
}
