/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_naked.c - finds naked functions with counters. clang puts the counter code before the body of a naked function,
 * but the body expects the registers and the stack of the caller. clobbered.c finds functions that read registers which
 * the counter code destroyed. This file finds two other signs of a naked function. After its first count, the function
 * pushes registers that hold arguments, or makes a call before it has saved the return address. Compiled code makes
 * such a call only if the function never returns. This file knows the instructions of Thumb, A32 and AArch64.
 */
#include "check_naked.h"
#include "clobbered.h"

#include <elf.h>

/* At most this many bytes of a function are examined, from its entry on. */
#define ENTRY 128u

/* The effect of one instruction. */
enum effect {
	EFFECT_NONE,
	EFFECT_FRAME, /* makes a stack frame, or saves the return address, as compiled code does */
	EFFECT_PUSH, /* pushes a register that no function needs to preserve, such as the first argument on Arm */
	EFFECT_CALL,
	EFFECT_BRANCH,
	EFFECT_RETURN,
};

static enum effect thumb_narrow(uint32_t code)
{
	if ((code & 0xfe00) == 0xb400)
		return code & 1 ? EFFECT_PUSH : EFFECT_FRAME;
	if ((code & 0xff80) == 0xb080 || (code & 0xff78) == 0x4670)
		return EFFECT_FRAME;
	if ((code & 0xff00) == 0xbd00 || (code & 0xfff8) == 0x4770)
		return EFFECT_RETURN;
	if ((code & 0xff80) == 0x4780)
		return EFFECT_CALL;
	if ((code & 0xf000) == 0xd000 || (code & 0xf800) == 0xe000 || (code & 0xf500) == 0xb100 ||
		(code & 0xff80) == 0x4700)
		return EFFECT_BRANCH;
	return EFFECT_NONE;
}

static enum effect thumb_wide(uint32_t first, uint32_t second)
{
	if (first == 0xe92d)
		return second & 1 ? EFFECT_PUSH : EFFECT_FRAME;
	if ((first == 0xf84d && (second & 0x0f00) == 0x0d00) || first == 0xf1ad || first == 0xf2ad || first == 0xed2d)
		return EFFECT_FRAME;
	if (first == 0xe8bd && second & 0x8000)
		return EFFECT_RETURN;
	if ((first & 0xf800) == 0xf000 && (second & 0xc000) == 0xc000)
		return EFFECT_CALL;
	if ((first & 0xf800) == 0xf000 && (second & 0xc000) == 0x8000 && (second & 0xd000) != 0x8000)
		return EFFECT_BRANCH;
	if ((first & 0xf800) == 0xf000 && (second & 0xd000) == 0x8000 && (first & 0x380) != 0x380)
		return EFFECT_BRANCH;
	return EFFECT_NONE;
}

static enum effect a32(uint32_t code)
{
	if ((code & 0x0fff0000) == 0x092d0000)
		return code & 1 ? EFFECT_PUSH : EFFECT_FRAME;
	/* one of: str rN, [sp, #-4]!; mov rN, lr; sub sp, sp, #n */
	if ((code & 0x0fff0fff) == 0x052d0004 || (code & 0x0fff0fff) == 0x01a0000e || (code & 0x0ffff000) == 0x024dd000)
		return EFFECT_FRAME;
	if ((code & 0x0ffffff0) == 0x012fff10 || (code & 0x0fff8000) == 0x08bd8000)
		return EFFECT_RETURN;
	if ((code & 0x0f000000) == 0x0b000000 || (code & 0x0ffffff0) == 0x012fff30)
		return EFFECT_CALL;
	return (code & 0x0f000000) == 0x0a000000 ? EFFECT_BRANCH : EFFECT_NONE;
}

static enum effect aarch64(uint32_t code)
{
	/*
	 * An stp or str that also moves the stack pointer. Compiled code uses such an instruction only to save
	 * registers from x19 on.
	 */
	if ((code & 0xffc003e0) == 0xa98003e0)
		return (code & 31) < 19 && (code >> 10 & 31) < 19 ? EFFECT_PUSH : EFFECT_FRAME;
	if ((code & 0xffe00fe0) == 0xf8000fe0)
		return (code & 31) < 19 ? EFFECT_PUSH : EFFECT_FRAME;
	/* one of: sub sp, sp, #n; a store of the return address into a stack frame; a copy of the return address */
	if ((code & 0xff8003ff) == 0xd10003ff || (code & 0xffc003ff) == 0xf90003fe ||
		(code & 0xffffffe0) == 0xaa1e03e0 ||
		((code & 0xffc003e0) == 0xa90003e0 && ((code & 31) == 30 || (code >> 10 & 31) == 30)))
		return EFFECT_FRAME;
	if ((code & 0xfffffc1f) == 0xd65f0000 || code == 0xd69f03e0)
		return EFFECT_RETURN;
	if ((code & 0xfc000000) == 0x94000000 || (code & 0xfffffc1f) == 0xd63f0000)
		return EFFECT_CALL;
	if ((code & 0xfc000000) == 0x14000000 || (code & 0xff000010) == 0x54000000 ||
		(code & 0x7c000000) == 0x34000000 || (code & 0xfffffc1f) == 0xd61f0000)
		return EFFECT_BRANCH;
	return EFFECT_NONE;
}

/* Returns the effect of the instruction at @at, and its size in *@size. */
static enum effect effect_at(const struct image *image, bool thumb, struct bytes bytes, size_t at, size_t *size)
{
	uint32_t first = (uint32_t)load_uint(bytes.data + at, 2, false);

	*size = thumb && first < 0xe800 ? 2 : 4;
	if (thumb && *size == 2)
		return thumb_narrow(first);
	if (at + 4 > bytes.size)
		return EFFECT_NONE;
	if (thumb)
		return thumb_wide(first, (uint32_t)load_uint(bytes.data + at + 2, 2, false));
	return (image->machine == EM_ARM ? a32 : aarch64)((uint32_t)load_uint(bytes.data + at, 4, false));
}

static bool returns(const struct image *image, bool thumb, struct bytes bytes)
{
	size_t size;
	size_t at;

	for (at = 0; at + 2 <= bytes.size; at += size)
		if (effect_at(image, thumb, bytes, at, &size) == EFFECT_RETURN)
			return true;
	return false;
}

struct counter_search {
	struct extent counters;
	uint64_t at; /* address of the first instruction that computes the address of a counter; 0: none */
};

static void find_counter(void *context, enum code_use use, uint64_t at, uint64_t target)
{
	struct counter_search *search = context;

	if (use == CODE_ADDRESS && !search->at && target + 1 - search->counters.address <= search->counters.size)
		search->at = at;
}

/*
 * Returns the address of the first instruction that computes the page of a counter, or 0 if there is none. AArch64 code
 * often computes only the page of a counter, and the load or store adds the offset in the page.
 */
static uint64_t page_counter(struct bytes bytes, uint64_t start, struct extent counters)
{
	size_t at;

	for (at = 0; at + 4 <= bytes.size && at < ENTRY; at += 4) {
		uint32_t code = (uint32_t)load_uint(bytes.data + at, 4, false);
		uint64_t pages = ((uint64_t)(code >> 5 & 0x7ffff) << 2 | (code >> 29 & 3)) ^ 0x100000;
		uint64_t page = ((start + at) & ~0xfffull) + (pages - 0x100000) * 4096;

		if ((code & 0x9f000000) == 0x90000000 && page + 4096 > counters.address &&
			page < counters.address + counters.size)
			return start + at;
	}
	return 0;
}

/*
 * Returns true if the function shows one of two signs after its first count. It pushes a register that holds an
 * argument. Or it makes a call before it has saved the return address, although it returns.
 */
static bool uses_stack(const struct code *code, const struct code_function *function, struct extent counters)
{
	const struct image *image = code->image;
	uint64_t start = function->symbol->value;
	const struct image_section *section = image_where(image, start, function->size);
	struct counter_search search = {.counters = counters};
	bool thumb = function->symbol->thumb;
	struct bytes bytes;
	size_t size;
	size_t at;

	if ((image->machine != EM_ARM && image->machine != EM_AARCH64) || image->big || !section ||
		!bytes_slice(image_content(image, section), start - section->address, function->size, &bytes))
		return false;
	code_walk(code, function, find_counter, &search);
	if (image->machine == EM_AARCH64 && !search.at)
		search.at = page_counter(bytes, start, counters);
	for (at = 0; at + 2 <= bytes.size && at < ENTRY && search.at; at += size) {
		switch (effect_at(image, thumb, bytes, at, &size)) {
		case EFFECT_PUSH:
			return start + at > search.at;
		case EFFECT_CALL:
			return start + at > search.at && returns(image, thumb, bytes);
		case EFFECT_FRAME:
		case EFFECT_BRANCH:
		case EFFECT_RETURN:
			return false;
		case EFFECT_NONE:
			break;
		}
	}
	return false;
}

bool is_naked(const struct code *code, const struct code_function *function, struct extent counters)
{
	return uses_stack(code, function, counters) || reads_clobbered(code, function, counters);
}
