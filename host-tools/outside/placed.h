/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * placed.h - a program, and the place in the memory of a target that place_find() found for it. A kernel with KASLR and a
 * relocated boot loader run at other addresses than those in their ELF files.
 */
#ifndef BAREPROF_HOST_PLACED_H
#define BAREPROF_HOST_PLACED_H

#include "memory.h"
#include "program.h"

struct placed {
	struct program *program;
	struct memory *memory;
	enum memory_space space; /* which addresses of the program are known */
	uint64_t slide; /* run-time address minus address in the ELF file, if @slide_known is true */
	uint64_t load_slide; /* MEMORY_PHYSICAL: the physical address minus that in the ELF file */
	bool slide_known; /* always true for MEMORY_VIRTUAL */
	/*
	 * Modules: the run-time address of each section of program->image, or 0; the caller of linux_module_place() frees
	 * it. NULL: the program moves as a whole.
	 */
	uint64_t *section_at;
	bool proven; /* the build id in memory is that of the ELF file */
	unsigned int copies; /* other places with this build id, which were not taken because less speaks for them */
};

/*
 * placed_read - reads @size bytes that the ELF file has at @address.
 * placed_write - writes them.
 * placed_follow - reads @size bytes at @pointer, which comes from the memory of the target.
 * placed_address - returns the address at run time, for pointers in the memory of the target.
 * placed_locate - returns the address in placed->space for @address in the ELF file.
 */
enum status placed_read(const struct placed *placed, uint64_t address, void *to, size_t size, struct error *error);
enum status placed_follow(const struct placed *placed, uint64_t pointer, void *to, size_t size, struct error *error);
enum status placed_write(
	const struct placed *placed, uint64_t address, const void *from, size_t size, struct error *error);
uint64_t placed_address(const struct placed *placed, uint64_t address);
uint64_t placed_locate(const struct placed *placed, uint64_t address);

/*
 * placed_physical - sets *@physical to the address to which a loader copies the memory that the ELF file has at @address.
 * Returns false if no segment has this memory.
 */
bool placed_physical(const struct program *program, uint64_t address, uint64_t *physical);

#endif
