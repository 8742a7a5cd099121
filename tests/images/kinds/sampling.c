/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampling.c - what -sampled-instrumentation wants for its thread-local counter, with
 * -femulated-tls: where it is. Here for the one CPU that runs instrumented code; a kernel
 * with more has an element for each.
 */
#include <stdint.h>

void *__emutls_get_address(void *control);

void *__emutls_get_address(void *control)
{
	static uint16_t sampling;

	(void)control;
	return &sampling;
}
