/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_memory.c - libbareprof: the default action if there is no memory.
 */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

/* Programs may define their own. */
__attribute__((weak)) void bareprof_out_of_memory(void)
{
	fflush(stdout);
	fputs("bareprof: out of memory\n", stderr);
	abort();
}
