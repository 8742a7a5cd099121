/* SPDX-License-Identifier: BSD-2-Clause */
/* place_tables.h - finds the page tables of a program whose physical place is known. */
#ifndef BAREPROF_HOST_PLACE_TABLES_H
#define BAREPROF_HOST_PLACE_TABLES_H

#include "placed.h"

/* Linux moves an x86_64 kernel by multiples of this, within the last GiB of the addresses for kernels. */
#define KASLR_STEP  (2ull << 20)
#define KASLR_STEPS 511u

/* place_is_x86_kernel - returns whether the program is an x86_64 kernel that KASLR may move by KASLR_STEP. */
bool place_is_x86_kernel(const struct program *program);

/* place_kernel_offset - sets *@slide to the slide that a Linux kernel wrote into the note VMCOREINFO of @memory. */
bool place_kernel_offset(struct memory *memory, uint64_t *slide);

/*
 * place_kernel_load - sets *@load_slide to the distance of the physical addresses of an x86_64 Linux kernel from those in
 * its ELF file. Returns false if the memory has no note about it.
 */
bool place_kernel_load(struct memory *memory, uint64_t *load_slide);

/*
 * place_tables - looks for page tables that map @placed: those of the CPUs, if the memory has their registers, and those
 * that kernels define (init_top_pgt, swapper_pg_dir, idle_pg_table). Tables are only taken if they map the build id and
 * the counters to the physical addresses at which they are. If there are any, lets memory_read() translate virtual
 * addresses with them, and sets placed->slide. placed->space must be MEMORY_PHYSICAL, and the memory must have no tables.
 */
bool place_tables(struct placed *placed);

/* place_is_mapped - returns whether the tables of placed->memory map @placed with its slide. */
bool place_is_mapped(const struct placed *placed);

#endif
