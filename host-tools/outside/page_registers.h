/* SPDX-License-Identifier: BSD-2-Clause */
/* page_registers.h - finds page tables from the registers of a CPU that select them. */
#ifndef BAREPROF_HOST_PAGE_REGISTERS_H
#define BAREPROF_HOST_PAGE_REGISTERS_H

#include "page_walk.h"

/*
 * page_registers - sets @tables from @text: names and values of registers, as in "ttbr1=0x41f00000,tcr=0x32b5503519". The
 * names are those of the manuals, in any case, and may end with _EL1 or _EL2. @machine is the machine in an ELF header, and
 * @big tells whether its data are big-endian. A register that is missing has the value that most kernels use.
 *
 *   x86_64: cr3, cr4        Arm: ttbr0, ttbr1, ttbcr        AArch64: ttbr0, ttbr1, tcr
 *   all: offset, a virtual minus a physical address, if there is one distance for all memory
 *
 * Errors: USAGE.
 */
enum status page_registers(
	struct page_tables *tables, const char *text, unsigned int machine, bool big, struct error *error);

#endif
