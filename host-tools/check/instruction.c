/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instruction.c - what the machines have in common, and which decoder knows which machine.
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
	static const unsigned int x86_64[] = {7, 6, 2, 1};

	return image->machine == EM_X86_64 ? x86_64[index] : index;
}

struct instruction instruction_literal(const struct image *image, uint64_t address, unsigned int width, unsigned int to)
{
	struct instruction result = {.kind = INSTRUCTION_OTHER, .size = 4, .to = to, .written = 1u << to};
	const struct image_section *section = image_where(image, address, width);
	struct bytes bytes;

	if (section && bytes_slice(image_content(image, section), address - section->address, width, &bytes)) {
		result.kind = INSTRUCTION_CONSTANT;
		result.value = load_uint(bytes.data, width, image->big);
	}
	return result;
}

struct instruction instruction_decode(const struct instruction_stream *stream, size_t at)
{
	struct bytes rest = {stream->bytes.data + at, stream->bytes.size - at};
	uint64_t here = stream->start + at;
	struct instruction unknown = {.kind = INSTRUCTION_UNKNOWN};
	uint32_t first;

	if (stream->image->machine == EM_X86_64)
		return instruction_x86_64(rest, here);
	if (rest.size < (stream->thumb ? 2 : 4))
		return unknown;
	first = (uint32_t)load_uint(rest.data, stream->thumb ? 2 : 4, false);
	if (stream->image->machine == EM_AARCH64)
		return instruction_aarch64(stream->image, first, here);
	if (!stream->thumb)
		return instruction_a32(stream->image, first, here);
	if (first < 0xe800)
		return instruction_thumb_narrow(stream->image, first, here);
	if (rest.size < 4)
		return unknown;
	return instruction_thumb_wide(stream->image, first, (uint32_t)load_uint(rest.data + 2, 2, false), here);
}
