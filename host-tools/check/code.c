/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code.c - finds the functions of an image by address, and walks the references of their code.
 */
#include "code.h"

#include <elf.h>
#include <stdlib.h>

static int compare_functions(const void *left, const void *right)
{
	const struct image_symbol *a = ((const struct code_function *)left)->symbol;
	const struct image_symbol *b = ((const struct code_function *)right)->symbol;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a < b ? -1 : a > b;
}

void code_open(struct code *code, const struct image *image)
{
	size_t i;

	*code = (struct code){.image = image,
		.functions = allocate(image->symbol_count + 1, sizeof(*code->functions)),
		.decoder = instruction_open(image)};
	for (i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].function)
			code->functions[code->count++].symbol = &image->symbols[i];
	if (code->count)
		qsort(code->functions, code->count, sizeof(*code->functions), compare_functions);
	for (i = 0; i < code->count; i++) {
		struct code_function *function = &code->functions[i];

		function->size = function->symbol->size;
		if (!function->size && i + 1 < code->count)
			function->size = function[1].symbol->value - function->symbol->value;
	}
}

void code_close(struct code *code)
{
	free(code->functions);
	instruction_close(code->decoder);
}

/* For lower_bound(), which passes the element first, and then the address. */
static int compare_address(const void *function, const void *address)
{
	return compare_uint(((const struct code_function *)function)->symbol->value, *(const uint64_t *)address);
}

struct code_function *code_at(const struct code *code, uint64_t address)
{
	size_t i = lower_bound(&address, code->functions, code->count, sizeof(*code->functions), compare_address);

	return i < code->count && code->functions[i].symbol->value == address ? &code->functions[i] : NULL;
}

struct code_function *code_named(const struct code *code, const char *name)
{
	const struct image_symbol *symbol = image_function(code->image, name, "");

	return symbol ? code_at(code, symbol->value) : NULL;
}

struct walk {
	const struct code *code;
	uint64_t start; /* address of @bytes */
	struct bytes bytes;
	code_each *each;
	void *context;
	uint64_t value[32]; /* values of the registers that the walk has computed */
};

static void call(struct walk *walk, size_t at, uint64_t target)
{
	walk->each(walk->context, CODE_CALL, walk->start + at, target);
}

static void address(struct walk *walk, size_t at, uint64_t target)
{
	walk->each(walk->context, CODE_ADDRESS, walk->start + at, target);
}

static uint32_t word(const struct walk *walk, size_t at, unsigned int width)
{
	return (uint32_t)load_uint(walk->bytes.data + at, width, false);
}

static uint64_t sign(uint64_t value, unsigned int bits)
{
	uint64_t top = 1ull << (bits - 1);

	return ((value & ((top << 1) - 1)) ^ top) - top;
}

/*
 * Reports an address that the compiler stored as a constant in memory at @from. The instruction at @at loads this
 * constant.
 */
static void literal(struct walk *walk, size_t at, uint64_t from, unsigned int width)
{
	const struct image_section *section = image_where(walk->code->image, from, width);
	struct bytes bytes;

	if (section && bytes_slice(image_content(walk->code->image, section), from - section->address, width, &bytes))
		address(walk, at, load_uint(bytes.data, width, walk->code->image->big) & (width == 4 ? ~1ull : ~0ull));
}

/*
 * x86 instructions have different sizes, so every offset is treated as the start of an instruction. Some of the
 * references found in this way do not exist. They do no harm, because the caller compares targets with the starts of
 * functions (code.h).
 */
static void walk_x86(struct walk *walk)
{
	uint64_t mask = walk->code->image->width == 8 ? ~0ull : 0xffffffff;
	size_t at;

	for (at = 1; at + 4 <= walk->bytes.size; at++) {
		uint64_t value = word(walk, at, 4);
		uint64_t relative = (walk->start + at + 4 + sign(value, 32)) & mask;

		if ((walk->bytes.data[at - 1] & 0xfe) == 0xe8)
			call(walk, at - 1, relative);
		else if (at > 1 && walk->bytes.data[at - 2] == 0x8d && (walk->bytes.data[at - 1] & 0xc7) == 5)
			address(walk, at - 2, relative);
		else
			address(walk, at, sign(value, 32) & mask);
	}
}

static void walk_aarch64(struct walk *walk)
{
	uint64_t *value = walk->value;
	size_t at;

	for (at = 0; at + 4 <= walk->bytes.size; at += 4) {
		uint32_t code = word(walk, at, 4);
		uint64_t here = walk->start + at;
		unsigned int to = code & 31;
		uint64_t near = sign((code >> 5 & 0x7ffff) << 2 | (code >> 29 & 3), 21);

		if ((code & 0x7c000000) == 0x14000000)
			call(walk, at, here + sign((uint64_t)(code & 0x3ffffff) << 2, 28));
		else if ((code & 0x9f000000) == 0x90000000)
			value[to] = (here & ~0xfffull) + (near << 12);
		else if ((code & 0x9f000000) == 0x10000000)
			address(walk, at, here + near);
		else if ((code & 0xffc00000) == 0x91000000)
			address(walk, at, value[to] = value[code >> 5 & 31] + (code >> 10 & 0xfff));
		else if ((code & 0xff000000) == 0x58000000)
			literal(walk, at, here + sign((uint64_t)(code >> 5 & 0x7ffff) << 2, 21), 8);
	}
}

static void walk_a32(struct walk *walk)
{
	uint64_t *value = walk->value;
	size_t at;

	for (at = 0; at + 4 <= walk->bytes.size; at += 4) {
		uint32_t code = word(walk, at, 4);
		uint64_t here = walk->start + at + 8;
		unsigned int to = code >> 12 & 15;
		uint32_t half = (code >> 4 & 0xf000) | (code & 0xfff);

		if ((code & 0xfe000000) == 0xfa000000)
			call(walk, at,
				(here + sign((uint64_t)(code & 0xffffff) << 2, 26) + (code >> 23 & 2)) & 0xffffffff);
		else if ((code & 0x0e000000) == 0x0a000000)
			call(walk, at, (here + sign((uint64_t)(code & 0xffffff) << 2, 26)) & 0xffffffff);
		else if ((code & 0x0ff00000) == 0x03000000)
			value[to] = half;
		else if ((code & 0x0ff00000) == 0x03400000)
			address(walk, at, (value[to] = (value[to] & 0xffff) | (uint64_t)half << 16) & ~1ull);
		else if ((code & 0x0f7f0000) == 0x051f0000)
			literal(walk, at, code & 0x800000 ? here + (code & 0xfff) : here - (code & 0xfff), 4);
	}
}

static uint64_t thumb_target(uint64_t here, uint32_t first, uint32_t second)
{
	uint32_t s = first >> 10 & 1;
	uint32_t i1 = !((second >> 13 & 1) ^ s);
	uint32_t i2 = !((second >> 11 & 1) ^ s);
	uint64_t offset = (uint64_t)s << 24 | i1 << 23 | i2 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;

	return (here + sign(offset, 25)) & 0xfffffffe;
}

static void thumb_wide(struct walk *walk, size_t at, uint32_t first, uint32_t second)
{
	uint64_t *value = walk->value;
	uint64_t here = walk->start + at + 4;
	unsigned int to = second >> 8 & 15;
	uint32_t half = (first & 15) << 12 | (first & 0x400) << 1 | (second >> 4 & 0x700) | (second & 0xff);

	if ((first & 0xf800) == 0xf000 && (second & 0x9000) == 0x9000)
		call(walk, at, thumb_target(here, first, second));
	else if ((first & 0xf800) == 0xf000 && (second & 0xd001) == 0xc000)
		call(walk, at, thumb_target(here & ~3ull, first, second));
	else if ((first & 0xfbf0) == 0xf240)
		value[to] = half;
	else if ((first & 0xfbf0) == 0xf2c0)
		address(walk, at, (value[to] = (value[to] & 0xffff) | (uint64_t)half << 16) & ~1ull);
	else if ((first & 0xff7f) == 0xf85f)
		literal(walk, at, first & 0x80 ? (here & ~3ull) + (second & 0xfff) : (here & ~3ull) - (second & 0xfff),
			4);
}

static void walk_thumb(struct walk *walk)
{
	size_t at = 0;

	while (at + 2 <= walk->bytes.size) {
		uint32_t first = word(walk, at, 2);

		if (first < 0xe800) {
			if ((first & 0xf800) == 0x4800)
				literal(walk, at, ((walk->start + at + 4) & ~3ull) + (first & 0xff) * 4, 4);
			else if ((first & 0xf800) == 0xe000)
				call(walk, at, (walk->start + at + 4 + sign((first & 0x7ff) << 1, 12)) & 0xfffffffe);
			at += 2;
			continue;
		}
		if (at + 4 <= walk->bytes.size)
			thumb_wide(walk, at, first, word(walk, at + 2, 2));
		at += 4;
	}
}

static void riscv_wide(struct walk *walk, size_t at, uint32_t code, uint64_t mask)
{
	uint64_t *value = walk->value;
	uint64_t here = walk->start + at;
	unsigned int to = code >> 7 & 31;
	uint64_t sum = (value[code >> 15 & 31] + sign(code >> 20, 12)) & mask;
	uint64_t jump =
		sign((uint64_t)(code >> 31) << 20 | (code & 0xff000) | (code >> 9 & 0x800) | (code >> 20 & 0x7fe), 21);

	switch (code & 0x7f) {
	case 0x6f:
		call(walk, at, (here + jump) & mask);
		break;
	case 0x67:
		call(walk, at, sum);
		break;
	case 0x17:
		value[to] = (here + sign(code & 0xfffff000, 32)) & mask;
		break;
	case 0x37:
		value[to] = sign(code & 0xfffff000, 32) & mask;
		break;
	case 0x13:
		if (!(code >> 12 & 7))
			address(walk, at, value[to] = sum);
		break;
	default:
		break;
	}
}

static void walk_riscv(struct walk *walk)
{
	uint64_t mask = walk->code->image->width == 8 ? ~0ull : 0xffffffff;
	size_t at = 0;

	while (at + 2 <= walk->bytes.size) {
		bool wide = (walk->bytes.data[at] & 3) == 3;

		if (wide && at + 4 <= walk->bytes.size)
			riscv_wide(walk, at, word(walk, at, 4), mask);
		at += wide ? 4 : 2;
	}
}

bool code_bytes(const struct code *code, const struct code_function *function, struct bytes *bytes)
{
	uint64_t start = function->symbol->value;
	const struct image_section *section = image_where(code->image, start, function->size);

	return section &&
	       bytes_slice(image_content(code->image, section), start - section->address, function->size, bytes);
}

void code_walk(const struct code *code, const struct code_function *function, code_each *each, void *context)
{
	struct walk walk = {.code = code, .start = function->symbol->value, .each = each, .context = context};

	if (!code_bytes(code, function, &walk.bytes))
		return;
	switch (code->image->machine) {
	case EM_X86_64:
	case EM_386:
		walk_x86(&walk);
		break;
	case EM_AARCH64:
		walk_aarch64(&walk);
		break;
	case EM_ARM:
		if (function->symbol->thumb)
			walk_thumb(&walk);
		else
			walk_a32(&walk);
		break;
	case EM_RISCV:
		walk_riscv(&walk);
		break;
	default:
		break;
	}
}
