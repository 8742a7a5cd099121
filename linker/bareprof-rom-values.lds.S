/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom-values.ld - like bareprof-rom.ld, with the same MEMORY and aliases, except
 * that the records are in RAM. Use this script for value profiling with clang 13 to 17.
 * These releases make no list heads, so bareprof_values_start() makes them and writes their
 * address into the records. Before you call bareprof_start() and bareprof_values_start(),
 * copy the records to RAM in the same way as .data:
 *
 *	extern uint32_t __bareprof_records_image[], __start___llvm_prf_data[], __stop___llvm_prf_data[];
 *	const uint32_t *from = __bareprof_records_image;
 *	uint32_t *to;
 *
 *	for (to = __start___llvm_prf_data; to < __stop___llvm_prf_data; to++)
 *		*to = *from++;
 *
 *	ld -T memory.ld -T bareprof-rom-values.ld -T sections.ld ...
 */
#define BAREPROF_RECORDS_IN_RAM
#include "bareprof-rom.lds.S"
