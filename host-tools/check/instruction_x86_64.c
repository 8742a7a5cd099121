/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction_x86_64.c - finds the length of an x86_64 instruction, and decodes moves, additions, pushes and
 * branches. VEX and EVEX are not known.
 */
#include "instruction.h"

#include <string.h>

#define SP 4u

/* Parts of an instruction that follow the opcode */
#define MODRM 1u
#define IMM8  2u
#define IMM16 4u
#define IMM32 8u /* 16 bits with an operand size prefix */
#define BAD   16u
#define MOFFS 32u

/* The instruction that is being decoded. */
struct decoder {
	struct bytes rest;
	uint64_t here;
	size_t at;
	bool wide; /* REX.W */
	bool half; /* operand size prefix */
	bool escaped; /* the opcode follows 0x0f */
	uint8_t rex;
	uint8_t opcode;
	uint8_t modrm;
	unsigned int reg;
	unsigned int base; /* register of the address, or INSTRUCTION_NO_REGISTER */
	bool direct; /* the operand is register @base, not memory */
	bool indexed;
	uint64_t offset; /* to @base */
	size_t offset_at; /* where an address relative to the next instruction is; 0: none */
	uint64_t immediate;
};

/* Returns the operands of an opcode of one byte. In the tables, W is MOFFS, G is BAD, a digit is a sum of the others. */
static unsigned int shape_one(uint8_t opcode)
{
	static const char high[] =
		/* 80 */ "39331111"
			 "11111111"
			 /* 90 */ "00000000"
			 "00G00000"
			 /* a0 */ "WWWW0000"
			 "28000000"
			 /* b0 */ "22222222"
			 "88888888"
			 /* c0 */ "3340GG39"
			 "40400200"
			 /* d0 */ "1111GGG0"
			 "11111111"
			 /* e0 */ "22222222"
			 "88G20000"
			 /* f0 */ "G0GG0011"
			 "00000011";

	if (opcode < 0x40)
		return (opcode & 7) < 4 ? MODRM : (opcode & 7) == 4 ? IMM8 : (opcode & 7) == 5 ? IMM32 : BAD;
	if (opcode < 0x60)
		return opcode < 0x50 ? BAD : 0;
	if (opcode < 0x70) {
		static const char middle[] = "GGG1GGGG"
					     "89230000";

		return middle[opcode - 0x60] <= '9' ? (unsigned int)(middle[opcode - 0x60] - '0') : BAD;
	}
	if (opcode < 0x80)
		return IMM8;
	opcode = (uint8_t)(opcode - 0x80);
	if (high[opcode] == 'W')
		return MOFFS;
	return high[opcode] <= '9' ? (unsigned int)(high[opcode] - '0') : BAD;
}

static unsigned int shape_two(uint8_t opcode)
{
	if ((opcode & 0xf0) == 0x80)
		return IMM32;
	if (opcode == 0x05 || opcode == 0x06 || opcode == 0x07 || opcode == 0x08 || opcode == 0x09 || opcode == 0x0b ||
		(opcode >= 0x30 && opcode < 0x38) || opcode == 0x77 || (opcode & 0xf6) == 0xa0 || opcode == 0xa2 ||
		opcode == 0xaa || (opcode & 0xf8) == 0xc8)
		return 0;
	if ((opcode >= 0x70 && opcode < 0x74) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba || opcode == 0xc2 ||
		(opcode >= 0xc4 && opcode < 0xc7))
		return MODRM | IMM8;
	return opcode == 0x04 || opcode == 0x0a || opcode == 0x0c || opcode == 0x0e || opcode == 0x0f ? BAD : MODRM;
}

static bool take(struct decoder *decoder, size_t n, uint64_t *value)
{
	if (decoder->rest.size - decoder->at < n)
		return false;
	*value = n ? load_uint(decoder->rest.data + decoder->at, (unsigned int)n, false) : 0;
	decoder->at += n;
	return true;
}

static bool take_byte(struct decoder *decoder, uint8_t *byte)
{
	uint64_t value;

	if (!take(decoder, 1, &value))
		return false;
	*byte = (uint8_t)value;
	return true;
}

static bool take_signed(struct decoder *decoder, size_t n, uint64_t *value)
{
	if (!take(decoder, n, value))
		return false;
	*value = n && n < 8 ? instruction_sign(*value, (unsigned int)n * 8) : *value;
	return true;
}

/* Reads the ModRM byte, and what of the address follows it. */
static bool take_address(struct decoder *decoder)
{
	unsigned int mode;
	uint8_t scaled = 0;

	if (!take_byte(decoder, &decoder->modrm))
		return false;
	mode = decoder->modrm >> 6;
	decoder->reg = (decoder->modrm >> 3 & 7) | (decoder->rex & 4 ? 8 : 0);
	decoder->base = (decoder->modrm & 7) | (decoder->rex & 1 ? 8 : 0);
	decoder->direct = mode == 3;
	if (decoder->direct)
		return true;
	if ((decoder->modrm & 7) == 4) {
		if (!take_byte(decoder, &scaled))
			return false;
		decoder->base = (scaled & 7) | (decoder->rex & 1 ? 8 : 0);
		decoder->indexed = (scaled >> 3 & 7) != 4 || decoder->rex & 2;
		if ((scaled & 7) == 5 && !mode) {
			decoder->base = INSTRUCTION_NO_REGISTER;
			return take_signed(decoder, 4, &decoder->offset);
		}
	} else if ((decoder->modrm & 7) == 5 && !mode) {
		decoder->base = INSTRUCTION_NO_REGISTER;
		decoder->offset_at = decoder->at;
		return take_signed(decoder, 4, &decoder->offset);
	}
	return take_signed(decoder, mode == 1 ? 1 : mode == 2 ? 4 : 0, &decoder->offset);
}

/* Reads the whole instruction. Returns false if it is not known. */
static bool take_all(struct decoder *decoder)
{
	unsigned int shape;
	size_t size;

	do {
		if (decoder->at > 14 || !take_byte(decoder, &decoder->opcode))
			return false;
		decoder->half |= decoder->opcode == 0x66;
	} while (memchr("\x26\x2e\x36\x3e\x64\x65\x66\xf0\xf2\xf3", decoder->opcode, 10));
	if ((decoder->opcode & 0xf0) == 0x40) {
		decoder->rex = decoder->opcode;
		decoder->wide = decoder->rex & 8;
		if (!take_byte(decoder, &decoder->opcode))
			return false;
	}
	decoder->escaped = decoder->opcode == 0x0f;
	if (!decoder->escaped) {
		shape = shape_one(decoder->opcode);
	} else {
		if (!take_byte(decoder, &decoder->opcode))
			return false;
		shape = shape_two(decoder->opcode);
		if (decoder->opcode == 0x38 || decoder->opcode == 0x3a) {
			shape = MODRM | (decoder->opcode == 0x3a ? IMM8 : 0);
			if (!take_byte(decoder, &decoder->opcode))
				return false;
			decoder->opcode = 0x0f; /* none of those that are decoded */
		}
	}
	if (shape & BAD || (shape & MODRM && !take_address(decoder)))
		return false;
	if (!decoder->escaped && (decoder->opcode & 0xfe) == 0xf6 && !(decoder->modrm & 0x30))
		shape |= decoder->opcode & 1 ? IMM32 : IMM8;
	size = shape & IMM8 ? 1 : shape & IMM32 ? decoder->half ? 2 : 4 : 0;
	if (!decoder->escaped && (decoder->opcode & 0xf8) == 0xb8 && decoder->wide)
		size = 8;
	if (!decoder->escaped && (decoder->opcode == 0xe8 || decoder->opcode == 0xe9))
		size = 4;
	if (shape & IMM16 && !take(decoder, decoder->opcode == 0xc8 ? 3 : 2, &decoder->immediate))
		return false;
	if (shape & MOFFS)
		size = 8;
	if (size && !take_signed(decoder, size, &decoder->immediate))
		return false;
	if (decoder->offset_at)
		decoder->offset += decoder->here + decoder->at;
	return true;
}

/* Returns the instruction as a load or store of register @reg. */
static struct instruction access(const struct decoder *decoder, enum instruction_kind kind, uint32_t registers)
{
	return (struct instruction){.kind = kind,
		.from = decoder->base,
		.value = decoder->offset,
		.indexed = decoder->indexed,
		.written = kind == INSTRUCTION_LOAD ? registers : 0,
		.data = kind == INSTRUCTION_STORE ? registers : 0};
}

static struct instruction to_register(enum instruction_kind kind, unsigned int to, unsigned int from, uint64_t value)
{
	return (struct instruction){
		.kind = kind, .to = to, .from = from, .value = value, .written = 1u << to, .data = 1u << (from & 31)};
}

static struct instruction plain(enum instruction_kind kind, uint64_t value)
{
	return (struct instruction){.kind = kind, .value = value};
}

static struct instruction stack(uint32_t pushed, uint32_t popped)
{
	return (struct instruction){.kind = pushed || !popped ? INSTRUCTION_STORE : INSTRUCTION_LOAD,
		.from = SP,
		.value = popped ? 0 : 0 - 8ull,
		.data = pushed,
		.written = popped,
		.moves = true};
}

/* Instructions with a constant of 8 or 32 bits: add, or, adc, sbb, and, sub, xor, cmp. */
static struct instruction with_constant(const struct decoder *decoder)
{
	unsigned int operation = decoder->modrm >> 3 & 7;

	if (operation == 7 || !decoder->direct)
		return plain(INSTRUCTION_OTHER, 0);
	if (decoder->wide && (operation == 0 || operation == 5) && decoder->opcode != 0x80)
		return to_register(INSTRUCTION_ADD, decoder->base, decoder->base,
			operation ? 0 - decoder->immediate : decoder->immediate);
	return to_register(INSTRUCTION_ARITHMETIC, decoder->base, decoder->base, 0);
}

/* The opcodes 0xfe and 0xff: inc, dec, call, jmp, push. */
static struct instruction group_five(const struct decoder *decoder)
{
	switch (decoder->modrm >> 3 & 7) {
	case 0:
	case 1:
		if (!decoder->direct)
			return plain(INSTRUCTION_OTHER, 0);
		return to_register(INSTRUCTION_ARITHMETIC, decoder->base, decoder->base, 0);
	case 2:
	case 3:
		return plain(INSTRUCTION_CALL, 0);
	case 6:
		return stack(decoder->direct ? 1u << decoder->base : 0, 0);
	default:
		return plain(INSTRUCTION_RETURN, 0);
	}
}

static struct instruction one_byte(const struct decoder *decoder, uint64_t next)
{
	unsigned int last = (decoder->opcode & 7) | (decoder->rex & 1 ? 8 : 0);
	uint64_t immediate = decoder->immediate;
	bool byte = !(decoder->opcode & 1);

	switch (decoder->opcode) {
	case 0xe8:
		return plain(INSTRUCTION_CALL, next + immediate);
	case 0xe9:
	case 0xeb:
		return plain(INSTRUCTION_JUMP, next + immediate);
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcf:
	case 0xf4:
		return plain(INSTRUCTION_RETURN, 0);
	case 0x8d:
		if (decoder->indexed || decoder->direct || !decoder->wide)
			return to_register(INSTRUCTION_OTHER, decoder->reg, 0, 0);
		if (decoder->base == INSTRUCTION_NO_REGISTER)
			return to_register(INSTRUCTION_CONSTANT, decoder->reg, 0, decoder->offset);
		return to_register(INSTRUCTION_ADD, decoder->reg, decoder->base, decoder->offset);
	case 0x88:
	case 0x89:
		if (!decoder->direct)
			return access(decoder, INSTRUCTION_STORE, 1u << decoder->reg);
		return to_register(decoder->wide && !byte ? INSTRUCTION_ADD : INSTRUCTION_ARITHMETIC, decoder->base,
			decoder->reg, 0);
	case 0x8a:
	case 0x8b:
		if (!decoder->direct)
			return access(decoder, INSTRUCTION_LOAD, 1u << decoder->reg);
		return to_register(decoder->wide && !byte ? INSTRUCTION_ADD : INSTRUCTION_ARITHMETIC, decoder->reg,
			decoder->base, 0);
	case 0xc6:
	case 0xc7:
		if (!decoder->direct)
			return access(decoder, INSTRUCTION_STORE, 0);
		return to_register(byte ? INSTRUCTION_OTHER : INSTRUCTION_CONSTANT, decoder->base, 0,
			decoder->wide ? immediate : immediate & 0xffffffff);
	case 0x80:
	case 0x81:
	case 0x83:
		return with_constant(decoder);
	case 0x90:
	case 0xfa:
	case 0xfb:
	case 0xfc:
	case 0xfd:
	case 0x84:
	case 0x85:
	case 0xa8:
	case 0xa9:
		return plain(INSTRUCTION_OTHER, 0);
	case 0x68:
	case 0x6a:
		return stack(0, 0);
	case 0xfe:
	case 0xff:
		return group_five(decoder);
	default:
		break;
	}
	if ((decoder->opcode & 0xf8) == 0x50)
		return stack(1u << last, 0);
	if ((decoder->opcode & 0xf8) == 0x58)
		return stack(0, 1u << last);
	if ((decoder->opcode & 0xf0) == 0x70 || (decoder->opcode & 0xfc) == 0xe0)
		return plain(INSTRUCTION_BRANCH, next + immediate);
	if ((decoder->opcode & 0xf8) == 0xb8)
		return to_register(INSTRUCTION_CONSTANT, last, 0, decoder->wide ? immediate : immediate & 0xffffffff);
	/* add, or, adc, sbb, and, sub, xor; cmp writes nothing */
	if (decoder->opcode < 0x40 && (decoder->opcode & 7) < 4) {
		if (decoder->opcode >= 0x38)
			return plain(INSTRUCTION_OTHER, 0);
		if ((decoder->opcode & 2) == 0 && !decoder->direct)
			return access(decoder, INSTRUCTION_STORE, 1u << decoder->reg);
		last = decoder->opcode & 2 ? decoder->reg : decoder->base;
		if ((decoder->opcode & 0xfd) == 0x31 && decoder->direct && decoder->reg == decoder->base)
			return to_register(INSTRUCTION_CONSTANT, last, 0, 0);
		return to_register(INSTRUCTION_ARITHMETIC, last, decoder->direct ? decoder->base : last, 0);
	}
	return plain(INSTRUCTION_UNKNOWN, 0);
}

struct instruction instruction_x86_64(struct bytes rest, uint64_t here)
{
	struct decoder decoder = {.rest = rest, .here = here, .base = INSTRUCTION_NO_REGISTER};
	struct instruction result = plain(INSTRUCTION_UNKNOWN, 0);

	if (!take_all(&decoder))
		return result;
	if (!decoder.escaped)
		result = one_byte(&decoder, here + decoder.at);
	else if ((decoder.opcode & 0xf0) == 0x80)
		result = plain(INSTRUCTION_BRANCH, here + decoder.at + decoder.immediate);
	else if (decoder.opcode == 0x0b)
		result.kind = INSTRUCTION_RETURN;
	else if (decoder.opcode == 0x1e || decoder.opcode == 0x1f || decoder.opcode == 0x0d || decoder.opcode == 0x18)
		result.kind = INSTRUCTION_OTHER; /* nop, endbr64, prefetches */
	result.size = decoder.at;
	return result;
}
