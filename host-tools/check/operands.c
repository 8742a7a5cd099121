/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * operands.c - the capstone handles of an image, and the operands of an instruction. Registers get the numbers that the
 * machine code has for them, not the numbers of capstone.
 */
#include "operands.h"
#include "capstone_library.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct instruction_decoder {
	csh a32_or_only; /* for A32 code on Arm, and for all code on other machines */
	csh thumb; /* for Thumb code; decodes blx, but not the instructions that only the M-profile has */
	csh thumb_m; /* for Thumb code; decodes the instructions of the M-profile, but not blx */
	cs_insn *insn;
};

static csh open_handle(cs_arch arch, int mode)
{
	csh handle;

	/* Debian's capstone knows all machines that bareprof does, so only memory can be missing. */
	if (capstone()->open(arch, (cs_mode)mode, &handle) || capstone()->option(handle, CS_OPT_DETAIL, CS_OPT_ON))
		die_of_memory();
	return handle;
}

struct instruction_decoder *instruction_open(const struct image *image)
{
	struct instruction_decoder *decoder;

	if (!instruction_known(image))
		return NULL;
	decoder = allocate(1, sizeof(*decoder));
	if (image->machine == EM_ARM) {
		decoder->thumb = open_handle(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_V8);
		decoder->thumb_m = open_handle(CS_ARCH_ARM, CS_MODE_THUMB | CS_MODE_V8 | CS_MODE_MCLASS);
	}
	decoder->a32_or_only = image->machine == EM_ARM       ? open_handle(CS_ARCH_ARM, CS_MODE_V8)
	                       : image->machine == EM_AARCH64 ? open_handle(CS_ARCH_ARM64, 0)
	                                                      : open_handle(CS_ARCH_X86, CS_MODE_64);
	decoder->insn = capstone()->malloc(decoder->a32_or_only);
	if (!decoder->insn)
		die_of_memory();
	return decoder;
}

void instruction_close(struct instruction_decoder *decoder)
{
	if (!decoder)
		return;
	capstone()->free(decoder->insn, 1);
	if (decoder->thumb) {
		capstone()->close(&decoder->thumb);
		capstone()->close(&decoder->thumb_m);
	}
	capstone()->close(&decoder->a32_or_only);
	free(decoder);
}

static unsigned int x86_64_number(unsigned int id)
{
#define ROW(a, b, c, d)                                                                                                \
	{                                                                                                              \
		X86_REG_##a, X86_REG_##b, X86_REG_##c, X86_REG_##d                                                     \
	}
#define NEW(n) ROW(R##n, R##n##D, R##n##W, R##n##B)
	static const uint8_t ids[][4] = {ROW(RAX, EAX, AX, AL), ROW(RCX, ECX, CX, CL), ROW(RDX, EDX, DX, DL),
		ROW(RBX, EBX, BX, BL), ROW(RSP, ESP, SP, SPL), ROW(RBP, EBP, BP, BPL), ROW(RSI, ESI, SI, SIL),
		ROW(RDI, EDI, DI, DIL), NEW(8), NEW(9), NEW(10), NEW(11), NEW(12), NEW(13), NEW(14), NEW(15)};
	static const uint8_t high[] = {X86_REG_AH, X86_REG_CH, X86_REG_DH, X86_REG_BH};
	unsigned int i;

	for (i = 0; i < sizeof(ids) && id; i++)
		if (ids[i / 4][i % 4] == id || (i < sizeof(high) && high[i] == id))
			return ids[i / 4][i % 4] == id ? i / 4 : i;
	return INSTRUCTION_NO_REGISTER;
}

static unsigned int number(const struct image *image, unsigned int id)
{
	if (image->machine == EM_X86_64)
		return x86_64_number(id);
	if (image->machine == EM_ARM) {
		if (id >= ARM_REG_R0 && id <= ARM_REG_R12)
			return id - ARM_REG_R0;
		return id == ARM_REG_SP ? 13 : id == ARM_REG_LR ? 14 : id == ARM_REG_PC ? 15 : INSTRUCTION_NO_REGISTER;
	}
	if (id >= ARM64_REG_X0 && id <= ARM64_REG_X28)
		return id - ARM64_REG_X0;
	if (id >= ARM64_REG_W0 && id <= ARM64_REG_W30)
		return id - ARM64_REG_W0;
	return id == ARM64_REG_X29                         ? 29
	       : id == ARM64_REG_X30                       ? 30
	       : id == ARM64_REG_SP || id == ARM64_REG_WSP ? 31
	                                                   : INSTRUCTION_NO_REGISTER;
}

static void take_x86_64(struct operands *operands, const struct image *image)
{
	const cs_x86 *detail = &operands->insn->detail->x86;

	for (operands->count = 0; operands->count < detail->op_count; operands->count++) {
		const cs_x86_op *from = &detail->operands[operands->count];
		struct operand *to = &operands->operand[operands->count];

		*to = (struct operand){.type = OPERAND_CONSTANT,
			.size = from->size,
			.number = INSTRUCTION_NO_REGISTER,
			.written = from->access & CS_AC_WRITE};
		if (from->type == X86_OP_REG) {
			to->type = OPERAND_REGISTER;
			to->number = number(image, from->reg);
			operands->read |= from->access & CS_AC_READ ? instruction_bit(to->number) : 0;
		} else if (from->type == X86_OP_IMM) {
			to->value = (uint64_t)from->imm;
		} else {
			to->type = OPERAND_MEMORY;
			to->number = number(image, from->mem.base);
			to->value = (uint64_t)from->mem.disp;
			if (from->mem.base == X86_REG_RIP)
				to->value += operands->insn->address + operands->insn->size;
			to->indexed = from->mem.index != X86_REG_INVALID || from->mem.segment != X86_REG_INVALID;
		}
	}
}

static void take_arm(struct operands *operands, const struct image *image)
{
	const cs_arm *detail = &operands->insn->detail->arm;

	operands->moves = detail->writeback;
	operands->conditional = detail->cc != ARM_CC_AL && detail->cc != ARM_CC_INVALID;
	for (; operands->count < detail->op_count && operands->count < OPERANDS_MAX; operands->count++) {
		const cs_arm_op *from = &detail->operands[operands->count];
		struct operand *to = &operands->operand[operands->count];

		*to = (struct operand){.size = 4, .number = INSTRUCTION_NO_REGISTER, .changed = from->shift.type};
		if (from->type == ARM_OP_REG) {
			to->type = OPERAND_REGISTER;
			to->number = number(image, (unsigned int)from->reg);
		} else if (from->type == ARM_OP_IMM) {
			to->type = OPERAND_CONSTANT;
			to->value = (uint32_t)from->imm;
		} else if (from->type == ARM_OP_MEM) {
			to->type = OPERAND_MEMORY;
			to->number = number(image, from->mem.base);
			to->value = (uint64_t)(int64_t)from->mem.disp;
			to->indexed = from->mem.index != ARM_REG_INVALID;
		}
	}
}

/*
 * On AArch64, capstone 4 often names wrong registers as read or written. For example, it says that cmp and msr write a
 * register, and that ubfx reads the register which it writes. So this function uses the positions of the operands. An
 * instruction writes its first operand, and reads the others. bfm, bfi and bfxil also read their first operand.
 */
static void take_aarch64(struct operands *operands, const struct image *image)
{
	const cs_arm64 *detail = &operands->insn->detail->arm64;
	unsigned int id = operands->insn->id;
	bool inserts = id == ARM64_INS_BFM || id == ARM64_INS_BFI || id == ARM64_INS_BFXIL;

	operands->moves = detail->writeback;
	operands->conditional = detail->cc != ARM64_CC_AL && detail->cc != ARM64_CC_INVALID;
	operands->read = operands->written = 0;
	for (; operands->count < detail->op_count; operands->count++) {
		const cs_arm64_op *from = &detail->operands[operands->count];
		struct operand *to = &operands->operand[operands->count];

		*to = (struct operand){
			.size = 8, .number = INSTRUCTION_NO_REGISTER, .changed = from->shift.type || from->ext};
		if (from->type == ARM64_OP_REG) {
			to->type = OPERAND_REGISTER;
			to->number = number(image, from->reg);
			to->size = from->reg >= ARM64_REG_W0 && from->reg <= ARM64_REG_W30 ? 4 : 8;
			to->vector = to->number == INSTRUCTION_NO_REGISTER && from->reg != ARM64_REG_XZR &&
			             from->reg != ARM64_REG_WZR;
			operands->written |= operands->count ? 0 : instruction_bit(to->number);
			operands->read |= operands->count || inserts ? instruction_bit(to->number) : 0;
		} else if (from->type == ARM64_OP_IMM) {
			to->type = OPERAND_CONSTANT;
			to->shift = from->shift.type == ARM64_SFT_LSL ? from->shift.value : 0;
			to->value = (uint64_t)from->imm << to->shift;
		} else if (from->type == ARM64_OP_MEM) {
			to->type = OPERAND_MEMORY;
			to->number = number(image, from->mem.base);
			to->value = (uint64_t)(int64_t)from->mem.disp;
			to->indexed = from->mem.index != ARM64_REG_INVALID;
		}
	}
}

bool operands_get(struct operands *operands, const struct instruction_stream *stream, size_t at)
{
	struct instruction_decoder *decoder = stream->decoder;
	const uint8_t *code = stream->bytes.data + at;
	size_t rest = stream->bytes.size - at;
	uint64_t address = stream->start + at;
	csh handle = stream->thumb ? decoder->thumb : decoder->a32_or_only;
	cs_regs read;
	cs_regs written;
	uint8_t reads;
	uint8_t writes;

	*operands = (struct operands){.insn = decoder->insn};
	if (!capstone()->disasm_iter(handle, &code, &rest, &address, decoder->insn)) {
		if (!stream->thumb || !capstone()->disasm_iter(decoder->thumb_m, &code, &rest, &address, decoder->insn))
			return false;
		handle = decoder->thumb_m;
	}
	if (capstone()->regs_access(handle, decoder->insn, read, &reads, written, &writes))
		return false;
	while (writes--)
		operands->written |= instruction_bit(number(stream->image, written[writes]));
	if (stream->image->machine == EM_X86_64) {
		/*
		 * cs_regs_access() also returns the registers of addresses, but operands->read must not have these
		 * registers.
		 */
		reads = operands->insn->detail->regs_read_count;
		memcpy(read, operands->insn->detail->regs_read, reads * sizeof(*read));
	}
	while (reads--)
		operands->read |= instruction_bit(number(stream->image, read[reads]));
	if (stream->image->machine == EM_X86_64)
		take_x86_64(operands, stream->image);
	else if (stream->image->machine == EM_ARM)
		take_arm(operands, stream->image);
	else
		take_aarch64(operands, stream->image);
	return true;
}
