/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction.c - tells which machines are known, and returns the numbers of registers with a special use.
 */
#include "instruction.h"

#include <elf.h>

bool instruction_known(const struct image *image)
{
	return !image->big &&
	       (image->machine == EM_X86_64 || image->machine == EM_AARCH64 || image->machine == EM_ARM) &&
	       image->width == (image->machine == EM_ARM ? 4 : 8);
}

unsigned int instruction_stack_pointer(const struct image *image)
{
	return image->machine == EM_X86_64 ? 4 : image->machine == EM_ARM ? 13 : 31;
}

unsigned int instruction_argument(const struct image *image, unsigned int index)
{
	static const unsigned int x86_64_arguments[] = {7, 6, 2, 1};

	return image->machine == EM_X86_64 ? x86_64_arguments[index] : index;
}
