/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_memory.c - libbareprof: the function that is called if there is no memory.
 */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

/* A program may define a function of this name. The linker then uses that function instead of this one. */
__attribute__((weak)) void bareprof_out_of_memory(void)
{
	fflush(stdout);
	fputs("bareprof: out of memory\n", stderr);
	abort();
}
