/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_memory.c - libbareprof: what happens without memory.
 */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

/* For programs that do not bring their own. */
__attribute__((weak)) void bareprof_out_of_memory(void)
{
	fflush(stdout);
	fputs("bareprof: out of memory\n", stderr);
	abort();
}
