/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampling.c - the function that finds the thread-local counter of -sampled-instrumentation if the kernel is compiled
 * with -femulated-tls. Only one CPU runs instrumented code here. A kernel whose instrumented code runs on several CPUs
 * needs a counter for each CPU.
 */
#include <stdint.h>

void *__emutls_get_address(void *control);

void *__emutls_get_address(void *control)
{
	static uint16_t sampling;

	(void)control;
	return &sampling;
}
