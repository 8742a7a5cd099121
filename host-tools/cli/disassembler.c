/* SPDX-License-Identifier: BSD-2-Clause */
/* disassembler.c - opens capstone for the machine of an image. */
#include "disassembler.h"
#include "capstone_library.h"
#include "error.h"

#include <elf.h>

static csh open_handle(cs_arch arch, int mode, bool details)
{
	csh handle;

	/* Debian's capstone knows these machines, so only memory can be missing. */
	if (capstone()->open(arch, (cs_mode)mode, &handle) || capstone()->option(handle, CS_OPT_SKIPDATA, CS_OPT_ON) ||
		(details && capstone()->option(handle, CS_OPT_DETAIL, CS_OPT_ON)))
		die_of_memory();
	return handle;
}

void disassembler_open(struct disassembler *disassembler, const struct image *image, bool details)
{
	int order = image->big ? (int)CS_MODE_BIG_ENDIAN : 0;

	*disassembler = (struct disassembler){0};
	switch (image->machine) {
	case EM_X86_64:
		disassembler->main = open_handle(CS_ARCH_X86, CS_MODE_64, details);
		break;
	case EM_386:
		disassembler->main = open_handle(CS_ARCH_X86, CS_MODE_32, details);
		break;
	case EM_AARCH64:
		disassembler->main = open_handle(CS_ARCH_ARM64, order, details);
		break;
	case EM_ARM:
		disassembler->main = open_handle(CS_ARCH_ARM, order | (int)CS_MODE_V8, details);
		disassembler->thumb = open_handle(
			CS_ARCH_ARM, order | (int)CS_MODE_V8 | (int)CS_MODE_THUMB | (int)CS_MODE_MCLASS, details);
		break;
	default:
		return;
	}
	disassembler->instruction = capstone()->malloc(disassembler->main);
	if (!disassembler->instruction)
		die_of_memory();
}

void disassembler_close(struct disassembler *disassembler)
{
	if (!disassembler->main)
		return;
	capstone()->free(disassembler->instruction, 1);
	capstone()->close(&disassembler->main);
	if (disassembler->thumb)
		capstone()->close(&disassembler->thumb);
}

bool disassembler_next(struct disassembler *disassembler, bool thumb, struct bytes *code, uint64_t *address)
{
	csh handle = thumb ? disassembler->thumb : disassembler->main;

	return handle && capstone()->disasm_iter(handle, &code->data, &code->size, address, disassembler->instruction);
}
