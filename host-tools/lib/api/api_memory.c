/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_memory.c - libbareprof: what happens by default if there is no memory.
 */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

/* Programs may define a function of this name, which replaces this one. */
__attribute__((weak)) void bareprof_out_of_memory(void)
{
	fflush(stdout);
	fputs("bareprof: out of memory\n", stderr);
	abort();
}
