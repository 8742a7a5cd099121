/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers.c - finds out which registers contain constants.
 */
#include "registers.h"

#include <elf.h>

static uint32_t preserved(const struct image *image)
{
	switch (image->machine) {
	case EM_X86_64:
		return 0xf028; /* a set of registers: rbx, rbp, and r12 to r15 */
	case EM_ARM:
		return 0x0ff0; /* a set of registers: r4 to r11 */
	default:
		return 0x1ff80000; /* a set of registers: x19 to x28 */
	}
}

static void set(struct registers *registers, const struct instruction *instruction, uint64_t value)
{
	registers->value[instruction->to] = registers->image->width == 4 ? value & 0xffffffff : value;
	registers->known |= instruction->written;
}

static bool is_known(const struct registers *registers, unsigned int number)
{
	return registers->known & instruction_bit(number);
}

void registers_step(struct registers *registers, const struct instruction *instruction)
{
	uint64_t from = instruction->from < 32 ? registers->value[instruction->from] : 0;
	uint64_t to = registers->value[instruction->to];
	bool from_known = is_known(registers, instruction->from);
	bool to_known = is_known(registers, instruction->to);

	registers->known &= ~instruction->written;
	if (instruction->moves)
		registers->known &= ~instruction_bit(instruction->from);
	switch (instruction->kind) {
	case INSTRUCTION_UNKNOWN:
	case INSTRUCTION_JUMP:
	case INSTRUCTION_RETURN:
		registers->known = 0;
		break;
	case INSTRUCTION_CALL:
		registers->known &= preserved(registers->image);
		break;
	case INSTRUCTION_CONSTANT:
		set(registers, instruction, instruction->value);
		break;
	case INSTRUCTION_ADD:
		if (from_known)
			set(registers, instruction, from + instruction->value);
		break;
	case INSTRUCTION_SHIFT:
		if (from_known)
			set(registers, instruction, from << instruction->value);
		break;
	case INSTRUCTION_INSERT:
		if (to_known)
			set(registers, instruction, (to & ~instruction->mask) | instruction->value);
		break;
	default:
		break;
	}
}

bool registers_address(const struct registers *registers, const struct instruction *instruction, uint64_t *address)
{
	bool absolute = instruction->from == INSTRUCTION_NO_REGISTER;

	if (instruction->indexed || (!absolute && !is_known(registers, instruction->from)))
		return false;
	*address = instruction->value + (absolute ? 0 : registers->value[instruction->from]);
	if (registers->image->width == 4)
		*address &= 0xffffffff;
	return true;
}

bool registers_argument(const struct registers *registers, unsigned int index, uint64_t *value)
{
	unsigned int number = instruction_argument(registers->image, index);

	if (!is_known(registers, number))
		return false;
	*value = registers->value[number];
	return true;
}
