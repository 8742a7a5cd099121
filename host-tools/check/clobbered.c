/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clobbered.c - recognizes a naked function by the straight code at its entry. The counter code writes some registers,
 * although the code after it needs the values that the caller put there. This file looks for uses of registers and
 * memory that compiled code never makes:
 *
 * - Only a naked function copies the count to another register, to the stack pointer or to a system register. Only a
 *   naked function pushes the count, stores the count at an address from an argument, or uses the count as an address.
 * - Only a naked function copies the address of the counter to the stack pointer or to a system register. Only a naked
 *   function pushes this address, or stores this address in the stack of the caller.
 * - Only a naked function stores in the counter a register that was not written since the entry.
 * - Only a naked function stores a register that has no meaning at the entry, such as x9 on AArch64, before the
 *   function writes that register.
 * - Only a naked function stores the count in the stack of the caller.
 * - Only a naked function stores a register in the stack of the caller and then makes a call that counts.
 *
 * The search ends at an instruction that is not understood. It also ends at a branch, unless the branch belongs to a
 * loop that counts atomically.
 */
#include "clobbered.h"
#include "registers.h"

#include <elf.h>

/* At most this many bytes of a function are examined, from its entry on. */
#define ENTRY 256u
/* The size of a counter in bytes. */
#define COUNTER 8u

enum verdict {
	GO_ON,
	STOP,
	NAKED,
};

struct entry {
	struct registers registers;
	struct extent counters;
	uint64_t start; /* address of the function */
	uint64_t here; /* address of the current instruction */
	uint64_t counter; /* address of the counter that is counted first; 0: none so far */
	uint32_t count; /* registers that contain the count */
	uint32_t base; /* registers that contain the address of the counter, or the address of the counter's page */
	uint32_t stack; /* the stack pointer, and registers that contain a copy of it */
	uint32_t written; /* registers that were written since the entry */
	bool counted; /* the new count is stored */
	bool framed; /* the stack pointer was changed */
	bool spilled; /* something was stored in the stack of the caller */
};

/* Returns the registers without a meaning at the entry. Compiled code writes such a register before it stores it. */
static uint32_t meaningless(const struct image *image)
{
	return image->machine == EM_AARCH64 ? 0xfe00 : 0;
}

/*
 * Returns whether the instruction loads or stores the counter that is counted first, which is entry->counter. If no
 * earlier instruction loaded or stored a counter, sets entry->counter to the counter of this instruction.
 */
static bool is_counter(struct entry *entry, const struct instruction *instruction)
{
	uint64_t address;

	if (!registers_address(&entry->registers, instruction, &address) ||
		address - entry->counters.address >= entry->counters.size)
		return false;
	/*
	 * A 32-bit target loads each half of a counter, and may load the upper half first. Use the address of the whole
	 * counter.
	 */
	address -= (address - entry->counters.address) % COUNTER;
	if (!entry->counter)
		entry->counter = address;
	return address == entry->counter;
}

/* Returns whether a load or store of @registers accesses at most as many bytes as one counter has. */
static bool is_single(const struct entry *entry, uint32_t registers)
{
	return (unsigned int)__builtin_popcount(registers) * entry->registers.image->width <= COUNTER;
}

static void forget(struct entry *entry, const struct instruction *instruction)
{
	uint32_t changed = instruction->written | (instruction->moves ? instruction_bit(instruction->from) : 0);

	entry->count &= ~changed;
	entry->base &= ~changed;
}

static enum verdict on_load(struct entry *entry, const struct instruction *instruction)
{
	uint32_t from = instruction_bit(instruction->from);
	bool ours = is_counter(entry, instruction);

	if (entry->counted && (from & entry->count || (from & entry->base && instruction->moves)))
		return NAKED;
	forget(entry, instruction);
	if (ours && is_single(entry, instruction->written)) {
		entry->count |= instruction->written;
		entry->base |= from & ~instruction->written;
		entry->counted |= instruction->updates;
	}
	return GO_ON;
}

/* Returns whether the instruction stores the count in a way in which compiled code never stores it. */
static bool misuses_count(const struct entry *entry, const struct instruction *instruction, bool above)
{
	uint32_t from = instruction_bit(instruction->from);

	if (!(instruction->data & entry->count))
		return false;
	if (above)
		return true;
	if (from & entry->stack)
		return entry->counted && (instruction->moves || __builtin_popcount(instruction->data) > 2);
	/*
	 * If the base register was not written since the entry, its value comes from the caller, and is not the address
	 * of a counter.
	 */
	return entry->counted && from & ~entry->written;
}

static enum verdict on_store(struct entry *entry, const struct instruction *instruction)
{
	uint32_t from = instruction_bit(instruction->from);
	uint32_t data = instruction->data;
	bool above = from & entry->stack && !entry->framed && !instruction->moves && !(instruction->value >> 63);

	if (entry->counted && (from & entry->count || (from & entry->base && instruction->moves)))
		return NAKED;
	if (is_counter(entry, instruction)) {
		if (entry->counted && data & ~entry->written)
			return NAKED;
		entry->counted |= is_single(entry, data) && (!data || data & (entry->count | entry->registers.known));
		entry->base |= from;
	} else if (misuses_count(entry, instruction, above) ||
		   (entry->counted && data & entry->base && (above || (from & entry->stack && instruction->moves))) ||
		   (entry->counted && data & ~entry->written & meaningless(entry->registers.image))) {
		return NAKED;
	}
	entry->spilled |= above;
	forget(entry, instruction);
	return GO_ON;
}

/*
 * Handles a call. If the first argument of the call is the address of a counter, the call counts. Returns NAKED if the
 * call counts, and the function has already stored a register in the stack of the caller without making a stack frame.
 * Otherwise returns STOP.
 */
static enum verdict on_call(const struct entry *entry)
{
	uint64_t argument;

	if (!entry->spilled || entry->framed || !registers_argument(&entry->registers, 0, &argument))
		return STOP;
	return argument - entry->counters.address < entry->counters.size ? NAKED : STOP;
}

static enum verdict on_value(struct entry *entry, const struct instruction *instruction)
{
	uint32_t sources = instruction->kind == INSTRUCTION_ADD          ? instruction_bit(instruction->from)
	                   : instruction->kind == INSTRUCTION_ARITHMETIC ? instruction->data
	                                                                 : 0;
	bool count = sources & entry->count;
	bool stack = instruction->kind == INSTRUCTION_ADD && !instruction->value && sources & entry->stack;
	uint32_t pointer = 1u << instruction_stack_pointer(entry->registers.image);

	if (entry->counted && instruction->written & pointer && sources & (entry->count | entry->base))
		return NAKED;
	if (entry->counted && instruction->kind == INSTRUCTION_ADD && !instruction->value && count)
		return NAKED;
	entry->framed |= (instruction->written & pointer) != 0;
	forget(entry, instruction);
	entry->count |= count ? instruction->written : 0;
	entry->stack = stack ? entry->stack | instruction->written : entry->stack & (~instruction->written | pointer);
	return GO_ON;
}

static enum verdict take(struct entry *entry, const struct instruction *instruction)
{
	uint32_t destroyed = entry->counted ? entry->count | entry->base : 0;

	switch (instruction->kind) {
	case INSTRUCTION_LOAD:
		return on_load(entry, instruction);
	case INSTRUCTION_STORE:
		return on_store(entry, instruction);
	case INSTRUCTION_SYSTEM:
		return instruction->data & destroyed ? NAKED : GO_ON;
	case INSTRUCTION_RETURN:
		return instruction->data & destroyed ? NAKED : STOP;
	case INSTRUCTION_CALL:
		return on_call(entry);
	case INSTRUCTION_JUMP:
		return instruction->value == entry->here + instruction->size ? GO_ON : STOP;
	case INSTRUCTION_BRANCH:
		return entry->counter && instruction->value >= entry->start && instruction->value < entry->here ? GO_ON
		                                                                                                : STOP;
	case INSTRUCTION_UNKNOWN:
		return STOP;
	default:
		return on_value(entry, instruction);
	}
}

bool reads_clobbered(const struct code *code, const struct code_function *function, struct extent counters)
{
	const struct image *image = code->image;
	struct instruction_stream stream = {.image = image,
		.decoder = code->decoder,
		.start = function->symbol->value,
		.thumb = function->symbol->thumb};
	struct entry entry = {.registers.image = image, .counters = counters, .start = stream.start};
	enum verdict verdict = GO_ON;
	uint32_t pointer;
	size_t at = 0;

	if (!instruction_known(image) || !code_bytes(code, function, &stream.bytes))
		return false;
	pointer = 1u << instruction_stack_pointer(image);
	entry.stack = pointer;
	while (verdict == GO_ON && at < stream.bytes.size && at < ENTRY) {
		struct instruction instruction = instruction_decode(&stream, at);

		entry.here = stream.start + at;
		verdict = instruction.size ? take(&entry, &instruction) : STOP;
		if (instruction.kind != INSTRUCTION_JUMP)
			registers_step(&entry.registers, &instruction);
		entry.written |= instruction.written;
		entry.framed |= instruction.moves && instruction_bit(instruction.from) & pointer;
		at += instruction.size;
	}
	return verdict == NAKED;
}
