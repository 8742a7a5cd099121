/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom-values.ld - like bareprof-rom.ld, with the same MEMORY and aliases, but
 * the records are in RAM. Use it for value profiling with clang 13 to 17, which makes
 * no list heads: bareprof_values_start() writes their address into the records. Copy the
 * records to RAM before bareprof_start() and bareprof_values_start(), as you copy .data:
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
