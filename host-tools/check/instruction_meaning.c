/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction_meaning.c - tells what an instruction does, from its operands and the name that capstone gives it.
 */
#include "operands.h"

#include <elf.h>
#include <string.h>

/* The meanings of instructions. The tables below give one of these meanings to each instruction that they list. */
enum meaning {
	NOT_LISTED,
	STOP, /* may change registers in a way that is not followed */
	NOTHING, /* writes no register; at most sets flags, as cmp does */
	GO, /* a branch, which is conditional if operands->conditional is true */
	TEST_AND_GO,
	CALL,
	END,
	SET,
	SET_INVERTED,
	SET_ADDRESS,
	SET_HALF,
	PLUS,
	MINUS,
	SHIFT,
	EXCLUSIVE_OR,
	PUSH,
	POP,
	STORE_UP,
	STORE_DOWN,
	LOAD_UP,
	LOAD_DOWN,
	TO_SYSTEM,
	FROM_SYSTEM,
};

struct known {
	unsigned int id;
	enum meaning meaning;
};

static const struct known x86_64[] = {{X86_INS_JMP, GO}, {X86_INS_CALL, CALL}, {X86_INS_LCALL, CALL},
	{X86_INS_RET, END}, {X86_INS_RETF, END}, {X86_INS_RETFQ, END}, {X86_INS_IRET, END}, {X86_INS_IRETD, END},
	{X86_INS_IRETQ, END}, {X86_INS_LJMP, END}, {X86_INS_HLT, END}, {X86_INS_INT3, END}, {X86_INS_UD2, END},
	{X86_INS_MOV, SET}, {X86_INS_MOVABS, SET}, {X86_INS_LEA, SET_ADDRESS}, {X86_INS_ADD, PLUS},
	{X86_INS_SUB, MINUS}, {X86_INS_XOR, EXCLUSIVE_OR}, {X86_INS_PUSH, PUSH}, {X86_INS_POP, POP},
	{X86_INS_SYSCALL, STOP}, {X86_INS_SYSRET, STOP}, {X86_INS_INT, STOP}, {X86_INS_XCHG, STOP},
	{X86_INS_XADD, STOP}, {X86_INS_CMPXCHG, STOP}, {X86_INS_CMPXCHG16B, STOP}, {X86_INS_TEST, NOTHING},
	{X86_INS_CMP, NOTHING}, {X86_INS_LEAVE, STOP}, {X86_INS_ENTER, STOP}};

static const struct known arm[] = {{ARM_INS_B, GO}, {ARM_INS_BX, GO}, {ARM_INS_CBZ, TEST_AND_GO},
	{ARM_INS_CBNZ, TEST_AND_GO}, {ARM_INS_BL, CALL}, {ARM_INS_BLX, CALL}, {ARM_INS_TBB, END}, {ARM_INS_TBH, END},
	{ARM_INS_BKPT, END}, {ARM_INS_UDF, END}, {ARM_INS_MOV, SET}, {ARM_INS_MOVW, SET}, {ARM_INS_MVN, SET_INVERTED},
	{ARM_INS_ADR, SET_ADDRESS}, {ARM_INS_MOVT, SET_HALF}, {ARM_INS_ADD, PLUS}, {ARM_INS_ADDW, PLUS},
	{ARM_INS_SUB, MINUS}, {ARM_INS_SUBW, MINUS}, {ARM_INS_LSL, SHIFT}, {ARM_INS_PUSH, PUSH}, {ARM_INS_POP, POP},
	{ARM_INS_STM, STORE_UP}, {ARM_INS_STMIB, STORE_UP}, {ARM_INS_STMDB, STORE_DOWN}, {ARM_INS_STMDA, STORE_DOWN},
	{ARM_INS_LDM, LOAD_UP}, {ARM_INS_LDMIB, LOAD_UP}, {ARM_INS_LDMDB, LOAD_DOWN}, {ARM_INS_LDMDA, LOAD_DOWN},
	{ARM_INS_MSR, TO_SYSTEM}, {ARM_INS_MCR, TO_SYSTEM}, {ARM_INS_MCRR, TO_SYSTEM}, {ARM_INS_MRS, FROM_SYSTEM},
	{ARM_INS_MRC, FROM_SYSTEM}, {ARM_INS_MRRC, FROM_SYSTEM}, {ARM_INS_SVC, STOP}, {ARM_INS_HVC, STOP},
	{ARM_INS_SMC, STOP}, {ARM_INS_ERET, STOP}};

static const struct known aarch64[] = {{ARM64_INS_B, GO}, {ARM64_INS_BR, GO}, {ARM64_INS_CBZ, TEST_AND_GO},
	{ARM64_INS_CBNZ, TEST_AND_GO}, {ARM64_INS_TBZ, TEST_AND_GO}, {ARM64_INS_TBNZ, TEST_AND_GO},
	{ARM64_INS_BL, CALL}, {ARM64_INS_BLR, CALL}, {ARM64_INS_RET, END}, {ARM64_INS_ERET, END}, {ARM64_INS_DRPS, END},
	{ARM64_INS_BRK, END}, {ARM64_INS_MOV, SET}, {ARM64_INS_MOVZ, SET}, {ARM64_INS_MOVN, SET_INVERTED},
	{ARM64_INS_ADR, SET_ADDRESS}, {ARM64_INS_ADRP, SET_ADDRESS}, {ARM64_INS_MOVK, SET_HALF}, {ARM64_INS_ADD, PLUS},
	{ARM64_INS_SUB, MINUS}, {ARM64_INS_MSR, TO_SYSTEM}, {ARM64_INS_MRS, FROM_SYSTEM}, {ARM64_INS_CMP, NOTHING},
	{ARM64_INS_CMN, NOTHING}, {ARM64_INS_TST, NOTHING}, {ARM64_INS_CCMP, NOTHING}, {ARM64_INS_CCMN, NOTHING},
	{ARM64_INS_SYS, NOTHING}, {ARM64_INS_DC, NOTHING}, {ARM64_INS_IC, NOTHING}, {ARM64_INS_AT, NOTHING},
	{ARM64_INS_TLBI, NOTHING}, {ARM64_INS_SVC, STOP}, {ARM64_INS_HVC, STOP}, {ARM64_INS_SMC, STOP},
	{ARM64_INS_HLT, STOP}};

static enum meaning meaning_of(const struct image *image, unsigned int id)
{
	const struct known *list = image->machine == EM_X86_64 ? x86_64 : image->machine == EM_ARM ? arm : aarch64;
	size_t count = image->machine == EM_X86_64 ? sizeof(x86_64)
	               : image->machine == EM_ARM  ? sizeof(arm)
	                                           : sizeof(aarch64);
	size_t i;

	for (i = 0; i < count / sizeof(*list); i++)
		if (list[i].id == id)
			return list[i].meaning;
	return NOT_LISTED;
}

/*
 * Returns the meaning of an instruction that loads @width bytes at the constant address @address to register @to. If
 * the ELF file has these bytes, the register gets a known constant.
 */
static struct instruction literal(const struct image *image, uint64_t address, unsigned int width, unsigned int to)
{
	struct instruction result = {.kind = INSTRUCTION_OTHER, .to = to, .written = instruction_bit(to)};
	const struct image_section *section = image_where(image, address, width);
	struct bytes bytes;

	if (section && bytes_slice(image_content(image, section), address - section->address, width, &bytes)) {
		result.kind = INSTRUCTION_CONSTANT;
		result.value = load_uint(bytes.data, width, image->big);
	}
	return result;
}

static struct instruction arithmetic(const struct operands *operands)
{
	return (struct instruction){.kind = operands->written ? INSTRUCTION_ARITHMETIC : INSTRUCTION_OTHER,
		.to = operands->operand[0].number & 31,
		.written = operands->written,
		.data = operands->read};
}

/*
 * Returns an instruction of the kind @kind that writes the register of the first operand. The kind determines how @from
 * and @value are used.
 */
static struct instruction gets(
	const struct operands *operands, enum instruction_kind kind, unsigned int from, uint64_t value)
{
	if (operands->operand[0].number == INSTRUCTION_NO_REGISTER)
		return arithmetic(operands);
	return (struct instruction){.kind = kind,
		.to = operands->operand[0].number,
		.from = from,
		.value = value,
		.written = instruction_bit(operands->operand[0].number)};
}

/*
 * Returns a load or store. The operands from index @first on are the registers that are loaded or stored. The operand
 * after them is the memory, and gives the address.
 */
static struct instruction access(const struct operands *operands, bool load, unsigned int first)
{
	struct instruction result = {.kind = load ? INSTRUCTION_LOAD : INSTRUCTION_STORE,
		.moves = operands->moves,
		.from = INSTRUCTION_NO_REGISTER};
	const struct operand *operand;
	uint32_t registers = 0;
	unsigned int i;

	for (i = first; i < operands->count; i++) {
		operand = &operands->operand[i];
		if (operand->type == OPERAND_MEMORY) {
			result.from = operand->number;
			result.value = operand->value;
			result.indexed |= operand->indexed;
			break;
		}
		/*
		 * Vector registers have different sizes, so the number of accessed bytes is unknown. @indexed is true
		 * in this case, too.
		 */
		result.indexed |= operand->vector;
		registers |= instruction_bit(operand->number);
	}
	/* If no operand is in memory, the address is a constant that is not followed. */
	result.indexed |= i == operands->count;
	result.written = load ? registers : first ? instruction_bit(operands->operand[0].number) : 0;
	result.data = load ? 0 : registers;
	return result;
}

/*
 * Returns a load or store of several registers on Arm. The accessed memory begins at the address in register @from, or
 * ends there if @below is true.
 */
static struct instruction several(
	const struct operands *operands, bool load, bool below, unsigned int first, unsigned int from)
{
	struct instruction result = access(operands, load, first);

	result.from = from;
	result.value = below ? 0 - 4ull * (operands->count - first) : 0;
	result.written = load ? result.written : 0;
	result.indexed = false;
	result.moves |= !first;
	return result;
}

static struct instruction push_or_pop(const struct operands *operands, const struct image *image, bool pop)
{
	struct instruction result;

	if (image->machine == EM_ARM)
		return several(operands, pop, !pop, 0, instruction_stack_pointer(image));
	result = access(operands, pop, 0);
	result.from = instruction_stack_pointer(image);
	result.value = pop ? 0 : 0 - 8ull;
	result.moves = true;
	result.indexed = false;
	return result;
}

static struct instruction go(const struct operands *operands, enum instruction_kind kind)
{
	const struct operand *last = &operands->operand[operands->count ? operands->count - 1 : 0];

	if (operands->count && last->type == OPERAND_CONSTANT)
		return (struct instruction){.kind = kind, .value = last->value};
	return (struct instruction){.kind = kind == INSTRUCTION_CALL ? kind : INSTRUCTION_RETURN,
		.data = last->type == OPERAND_REGISTER && kind != INSTRUCTION_CALL ? instruction_bit(last->number) : 0};
}

/*
 * Returns the meaning of a move from the second operand to the first. On x86_64, such a move can be a load or a store.
 */
static struct instruction set(const struct operands *operands, const struct image *image, bool invert)
{
	const struct operand *to = &operands->operand[0];
	const struct operand *from = &operands->operand[1];
	uint64_t value = invert ? ~from->value : from->value;

	if (to->type == OPERAND_MEMORY) {
		return (struct instruction){.kind = INSTRUCTION_STORE,
			.from = to->number,
			.value = to->value,
			.indexed = to->indexed,
			.data = instruction_bit(from->number)};
	}
	/* The first operand is a vector register, or on x86_64 perhaps a system register. */
	if (to->number == INSTRUCTION_NO_REGISTER)
		return image->machine == EM_X86_64 ? (struct instruction){.kind = INSTRUCTION_UNKNOWN}
		                                   : arithmetic(operands);
	if (from->type == OPERAND_MEMORY)
		return access(operands, true, 0);
	if (from->type == OPERAND_CONSTANT)
		return gets(operands, to->size < 4 ? INSTRUCTION_OTHER : INSTRUCTION_CONSTANT, 0,
			to->size < 8 ? value & 0xffffffff : value);
	/*
	 * A move is a copy only if all bits of the register stay the same. On 64-bit machines, a move of 32 bits is not
	 * a copy.
	 */
	if (invert || from->changed || from->number == INSTRUCTION_NO_REGISTER || to->size != image->width)
		return arithmetic(operands);
	return gets(operands, INSTRUCTION_ADD, from->number, 0);
}

static struct instruction sum(const struct operands *operands, const struct image *image, bool minus)
{
	const struct operand *last = &operands->operand[operands->count - 1];
	const struct operand *from = &operands->operand[operands->count > 2];

	if (last->type != OPERAND_CONSTANT || from->number == INSTRUCTION_NO_REGISTER ||
		(image->machine == EM_X86_64 && last[-1].size != 8) || (image->machine == EM_ARM && from->number == 15))
		return arithmetic(operands);
	return gets(operands, INSTRUCTION_ADD, from->number, minus ? 0 - last->value : last->value);
}

static bool jumps(const cs_insn *insn)
{
	const cs_detail *detail = insn->detail;

	return memchr(detail->groups, CS_GRP_JUMP, detail->groups_count) ||
	       memchr(detail->groups, CS_GRP_BRANCH_RELATIVE, detail->groups_count);
}

/*
 * Returns the meaning of an instruction that meant() does not handle. The name and the operands of the instruction tell
 * its meaning.
 */
static struct instruction named(const struct operands *operands, const struct image *image)
{
	const char *name = operands->insn->mnemonic;
	const struct operand *to = &operands->operand[0];
	const struct operand *from = &operands->operand[1];
	struct instruction unknown = {.kind = INSTRUCTION_UNKNOWN};
	struct instruction result;

	if (image->machine == EM_X86_64) {
		if (jumps(operands->insn))
			return go(operands, INSTRUCTION_BRANCH);
		if (operands->count != 2 || to->type != OPERAND_MEMORY || from->type != OPERAND_REGISTER ||
			from->number == INSTRUCTION_NO_REGISTER || !to->written)
			return arithmetic(operands);
		result = set(operands, image, false);
		result.written = operands->written;
		return result;
	}
	if (starts_with(name, "ld") || starts_with(name, "st")) {
		/* ld1 to ld4 and st1 to st4 access vectors with several elements. Their effect is not followed. */
		if (name[2] >= '1' && name[2] <= '4')
			return unknown;
		/*
		 * The first operand of an exclusive store, such as stxr, is not stored. The instruction sets this
		 * register to 0 or 1, which tells whether the store was made.
		 */
		return access(operands, name[0] == 'l', name[0] == 's' && strchr(name, 'x'));
	}
	return starts_with(name, "pr") || starts_with(name, "pl") ? (struct instruction){.kind = INSTRUCTION_OTHER}
	                                                          : arithmetic(operands);
}

static struct instruction meant(const struct operands *operands, const struct image *image, uint64_t pc)
{
	const struct operand *to = &operands->operand[0];
	const struct operand *from = &operands->operand[1];
	enum meaning meaning = meaning_of(image, operands->insn->id);
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN};
	uint32_t registers = 0;
	unsigned int i;

	for (i = 0; i < operands->count; i++)
		registers |= instruction_bit(operands->operand[i].number);
	if (image->machine == EM_ARM && operands->insn->mnemonic[0] == 'v')
		return result;
	if (image->machine == EM_ARM && operands->conditional && meaning != GO && meaning != CALL)
		return result;
	switch (meaning) {
	case STOP:
		return result;
	case NOTHING:
		result.kind = INSTRUCTION_OTHER;
		return result;
	case GO:
	case TEST_AND_GO:
		return go(operands, meaning == GO && !operands->conditional ? INSTRUCTION_JUMP : INSTRUCTION_BRANCH);
	case CALL:
		return go(operands, operands->conditional ? INSTRUCTION_BRANCH : INSTRUCTION_CALL);
	case END:
		result.kind = INSTRUCTION_RETURN;
		return result;
	case SET:
	case SET_INVERTED:
		return set(operands, image, meaning == SET_INVERTED);
	case SET_ADDRESS:
		if (image->machine != EM_X86_64)
			return gets(
				operands, INSTRUCTION_CONSTANT, 0, from->value + (image->machine == EM_ARM ? pc : 0));
		return gets(operands,
			from->indexed || to->size < 8             ? INSTRUCTION_OTHER
			: from->number == INSTRUCTION_NO_REGISTER ? INSTRUCTION_CONSTANT
								  : INSTRUCTION_ADD,
			from->number, from->value);
	case SET_HALF:
		i = image->machine == EM_ARM ? 16 : from->shift;
		result = gets(
			operands, INSTRUCTION_INSERT, 0, image->machine == EM_ARM ? from->value << i : from->value);
		result.mask = 0xffffull << i;
		return result;
	case PLUS:
	case MINUS:
		if (to->type == OPERAND_MEMORY)
			break;
		return sum(operands, image, meaning == MINUS);
	case SHIFT:
		if (operands->operand[operands->count - 1].type != OPERAND_CONSTANT)
			break;
		return gets(operands, INSTRUCTION_SHIFT, operands->operand[operands->count > 2].number,
			operands->operand[operands->count - 1].value);
	case EXCLUSIVE_OR:
		if (to->type != OPERAND_REGISTER || to->number != from->number || to->size < 4)
			break;
		return gets(operands, INSTRUCTION_CONSTANT, 0, 0);
	case PUSH:
	case POP:
		return push_or_pop(operands, image, meaning == POP);
	case STORE_UP:
	case STORE_DOWN:
		return several(operands, false, meaning == STORE_DOWN, 1, to->number);
	case LOAD_UP:
	case LOAD_DOWN:
		return several(operands, true, meaning == LOAD_DOWN, 1, to->number);
	case TO_SYSTEM:
		result.kind = INSTRUCTION_SYSTEM;
		result.data = registers;
		return result;
	case FROM_SYSTEM:
		result.kind = INSTRUCTION_OTHER;
		result.written = registers;
		return result;
	case NOT_LISTED:
		break;
	}
	return named(operands, image);
}

/*
 * Returns the meaning of an instruction that capstone 4 does not know. The function finds out the meaning only for
 * atomic operations of AArch64, such as ldadd. For other instructions, it finds out only the size.
 */
static struct instruction unlisted(const struct instruction_stream *stream, struct bytes rest)
{
	struct instruction result = {.kind = INSTRUCTION_UNKNOWN};
	uint32_t code;

	if (stream->image->machine == EM_X86_64 || rest.size < 2)
		return result;
	code = (uint32_t)load_uint(rest.data, rest.size < 4 ? 2 : 4, false);
	result.size = stream->thumb && (code & 0xffff) < 0xe800 ? 2 : 4;
	if (rest.size < result.size)
		result.size = 0;
	/* An atomic operation loads the old value from memory, and stores the new value there. */
	if (stream->image->machine == EM_AARCH64 && result.size && (code & 0x3f200c00) == 0x38200000) {
		result.kind = INSTRUCTION_LOAD;
		result.from = code >> 5 & 31;
		result.written = (code & 31) == 31 ? 0 : 1u << (code & 31);
		result.updates = true;
	}
	return result;
}

struct instruction instruction_decode(const struct instruction_stream *stream, size_t at)
{
	const struct image *image = stream->image;
	struct bytes rest = {stream->bytes.data + at, stream->bytes.size - at};
	uint64_t here = stream->start + at;
	uint64_t pc = stream->thumb ? (here + 4) & ~3ull : here + 8;
	struct operands operands;
	struct instruction result;

	/*
	 * This is the Thumb instruction `it`. It must not be disassembled, because the capstone handle would remember
	 * the condition of `it`, and apply the condition to whichever instruction the handle disassembles next.
	 */
	if (stream->thumb && rest.size >= 2 && rest.data[1] == 0xbf && rest.data[0] & 15)
		return (struct instruction){.kind = INSTRUCTION_BRANCH, .size = 2};
	if (!operands_get(&operands, stream, at))
		return unlisted(stream, rest);
	if (image->machine == EM_ARM && operands.insn->id == ARM_INS_LDR && operands.operand[1].number == 15 &&
		!operands.operand[1].indexed && !operands.conditional)
		result = literal(image, pc + operands.operand[1].value, 4, operands.operand[0].number);
	else if (image->machine == EM_AARCH64 && operands.insn->id == ARM64_INS_LDR &&
		 operands.operand[1].type == OPERAND_CONSTANT && operands.operand[0].number != INSTRUCTION_NO_REGISTER)
		result =
			literal(image, operands.operand[1].value, operands.operand[0].size, operands.operand[0].number);
	else
		result = meant(&operands, image, pc);
	/* On Arm, the program counter is register 15. An instruction that writes it is a jump. */
	if (image->machine == EM_ARM && result.written & 1u << 15) {
		result.data = result.kind == INSTRUCTION_ADD ? instruction_bit(result.from) : 0;
		result.kind = INSTRUCTION_RETURN;
	}
	result.size = operands.insn->size;
	return result;
}
