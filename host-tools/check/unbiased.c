/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unbiased.c - recognizes code that was compiled without -runtime-counter-relocation. Such code stores counts at
 * constant addresses. Each of these stores is certain, but some stores are not recognized: those after a jump, those
 * of functions that count atomically on a CPU without atomic instructions, those of position-independent code on 32-bit
 * Arm, and on x86_64 those of instructions that add to memory.
 */
#include "unbiased.h"
#include "registers.h"

bool is_unbiased(const struct code *code, const struct code_function *function, struct extent counters)
{
	struct instruction_stream stream = {.image = code->image,
		.decoder = code->decoder,
		.start = function->symbol->value,
		.thumb = function->symbol->thumb};
	struct registers registers = {.image = code->image};
	struct instruction instruction;
	uint64_t address;
	size_t at;

	if (!instruction_known(code->image) || !code_bytes(code, function, &stream.bytes))
		return false;
	for (at = 0; at < stream.bytes.size; at += instruction.size) {
		instruction = instruction_decode(&stream, at);
		if (!instruction.size)
			return false;
		if ((instruction.kind == INSTRUCTION_STORE || instruction.updates) &&
			registers_address(&registers, &instruction, &address) &&
			address - counters.address < counters.size)
			return true;
		registers_step(&registers, &instruction);
	}
	return false;
}
