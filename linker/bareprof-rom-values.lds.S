/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom-values.ld - as bareprof-rom.ld, with its MEMORY and aliases, but the
 * records are in RAM. Take it for value profiling by clang 13 to 17, which leaves
 * out what says where the lists of values are: bareprof_values_start() writes that
 * into the records. Before it, and bareprof_start(), copy them as you do .data:
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
