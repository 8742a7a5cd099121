/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_memory.c - libbareprof: the function that is called if there is no memory.
 */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * A program may define its own bareprof_out_of_memory(). The linker then uses the program's function instead of this
 * weak definition.
 */
__attribute__((weak)) void bareprof_out_of_memory(void)
{
	fflush(stdout);
	fputs("bareprof: out of memory\n", stderr);
	abort();
}
