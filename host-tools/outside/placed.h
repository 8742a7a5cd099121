/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * placed.h - where a program is in the memory of a target. A kernel with KASLR and a relocated boot loader run at other
 * addresses than those in their ELF files.
 */
#ifndef BAREPROF_HOST_PLACED_H
#define BAREPROF_HOST_PLACED_H

#include "memory.h"
#include "program.h"

/* A program, and its place in memory. */
struct placed {
	struct program *program;
	struct memory *memory;
	enum memory_space space;
	uint64_t slide; /* run-time address minus address in the ELF file */
	bool proven; /* the build id in memory is that of the ELF file */
};

/*
 * place_find - finds @program in @memory: first at the addresses in the ELF file, moved by @slide, and then, if the memory
 * has physical addresses, at the physical addresses in the ELF file. The build id in memory shows that the place is right.
 * If the program has no build id, takes the first place whose memory can be read, and sets placed->proven to false.
 * Errors: INVALID_INPUT (the program is not there), SYSTEM.
 */
enum status place_find(
	struct placed *placed, struct memory *memory, struct program *program, uint64_t slide, struct error *error);

/*
 * placed_read - reads @size bytes that the ELF file has at @address.
 * placed_write - writes them.
 * placed_follow - reads @size bytes at @pointer, which comes from the memory of the target.
 * placed_address - returns the address at run time, for pointers in the memory of the target.
 */
enum status placed_read(const struct placed *placed, uint64_t address, void *to, size_t size, struct error *error);
enum status placed_follow(const struct placed *placed, uint64_t pointer, void *to, size_t size, struct error *error);
enum status placed_write(
	const struct placed *placed, uint64_t address, const void *from, size_t size, struct error *error);
uint64_t placed_address(const struct placed *placed, uint64_t address);

#endif
