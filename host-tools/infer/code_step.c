/* SPDX-License-Identifier: BSD-2-Clause */
/* code_step.c - finds jumps, returns and the ends of programs on each machine. */
#include "code_step.h"

#include <elf.h>

static const struct code_step next = {.goes_on = true};
static const struct code_step end = {.leaves = true};
static const struct code_step unknown_jump = {.leaves = true, .by_table = true};

static struct code_step jump_to(uint64_t target, bool conditional)
{
	return (struct code_step){.goes_on = conditional, .jumps = true, .target = target};
}

static struct code_step x86_step(const cs_insn *insn)
{
	const cs_x86 *detail = &insn->detail->x86;
	const cs_x86_op *operand = detail->op_count ? &detail->operands[detail->op_count - 1] : NULL;
	struct code_step step = next;

	switch (insn->id) {
	case X86_INS_JMP:
		if (operand && operand->type == X86_OP_IMM)
			return jump_to((uint64_t)operand->imm, false);
		step = unknown_jump;
		break;
	case X86_INS_LJMP:
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSRET:
	case X86_INS_SYSEXIT:
	case X86_INS_UD0:
	case X86_INS_UD2:
	case X86_INS_INT3:
		return end;
	case X86_INS_CALL:
		step.calls = operand && operand->type == X86_OP_IMM;
		step.target = step.calls ? (uint64_t)operand->imm : 0;
		return step;
	default:
		if (operand && operand->type == X86_OP_IMM &&
			(memchr(insn->detail->groups, CS_GRP_JUMP, insn->detail->groups_count) ||
				memchr(insn->detail->groups, CS_GRP_BRANCH_RELATIVE, insn->detail->groups_count)))
			return jump_to((uint64_t)operand->imm, true);
	}
	if (operand && operand->type == X86_OP_MEM) {
		step.address = (uint64_t)operand->mem.disp;
		if (operand->mem.base == X86_REG_RIP)
			step.address += insn->address + insn->size;
	}
	return step;
}

static struct code_step aarch64_step(const cs_insn *insn)
{
	const cs_arm64 *detail = &insn->detail->arm64;
	const cs_arm64_op *operand = detail->op_count ? &detail->operands[detail->op_count - 1] : NULL;

	struct code_step step = next;

	switch (insn->id) {
	case ARM64_INS_BL:
		step.calls = true;
		step.target = (uint64_t)operand->imm;
		return step;
	case ARM64_INS_B:
		return jump_to((uint64_t)operand->imm, detail->cc != ARM64_CC_INVALID && detail->cc < ARM64_CC_AL);
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
		return jump_to((uint64_t)operand->imm, true);
	case ARM64_INS_BR:
		return unknown_jump;
	case ARM64_INS_RET:
	case ARM64_INS_ERET:
	case ARM64_INS_DRPS:
	case ARM64_INS_BRK:
	case ARM64_INS_HLT:
		return end;
	default:
		return next;
	}
}

/* capstone 4 does not know the returns of Armv8.3, which check the address: retaa, retab, eretaa and eretab. */
static struct code_step aarch64_unlisted(const cs_insn *insn)
{
	uint32_t code = insn->size == 4 ? (uint32_t)load_uint(insn->bytes, 4, false) : 0;

	if ((code & 0xffbffbff) == 0xd61f0bff || (code & 0xff7ffbff) == 0xd65f0bff)
		return end;
	/* udf: permanently undefined */
	return code && code < 0x10000 ? end : next;
}

/* On Arm, an instruction jumps if it writes the register 15. */
static bool writes_pc(const cs_arm *detail)
{
	unsigned int i;

	for (i = 0; i < detail->op_count; i++)
		if (detail->operands[i].type == ARM_OP_REG && detail->operands[i].reg == ARM_REG_PC &&
			detail->operands[i].access & CS_AC_WRITE)
			return true;
	return false;
}

static struct code_step arm_step(const cs_insn *insn)
{
	const cs_arm *detail = &insn->detail->arm;
	bool conditional = detail->cc != ARM_CC_INVALID && detail->cc != ARM_CC_AL;
	const cs_arm_op *operand = detail->op_count ? &detail->operands[detail->op_count - 1] : NULL;
	struct code_step step = next;

	switch (insn->id) {
	case ARM_INS_B:
		return jump_to((uint32_t)operand->imm, conditional);
	case ARM_INS_CBZ:
	case ARM_INS_CBNZ:
		return jump_to((uint32_t)operand->imm, true);
	case ARM_INS_BL:
	case ARM_INS_BLX:
		step.calls = operand->type == ARM_OP_IMM;
		step.target = step.calls ? (uint32_t)operand->imm : 0;
		return step;
	case ARM_INS_TBB:
	case ARM_INS_TBH:
		return unknown_jump;
	case ARM_INS_BX:
	case ARM_INS_BXJ:
	case ARM_INS_POP:
	case ARM_INS_LDM:
	case ARM_INS_LDMDB:
	case ARM_INS_RFEIA:
	case ARM_INS_UDF:
		if (insn->id == ARM_INS_UDF || insn->id == ARM_INS_BX || insn->id == ARM_INS_BXJ ||
			insn->id == ARM_INS_RFEIA || memchr(insn->op_str, '}', sizeof(insn->op_str)) == NULL)
			step = end;
		else if (strstr(insn->op_str, "pc}"))
			step = end;
		break;
	default:
		if (writes_pc(detail))
			step = unknown_jump;
	}
	step.goes_on = step.goes_on || conditional;
	return step;
}

struct code_step code_step(const struct disassembler *disassembler, const struct image *image)
{
	const cs_insn *insn = disassembler->instruction;
	struct code_step step;

	if (!insn->id)
		return image->machine == EM_AARCH64 ? aarch64_unlisted(insn) : next;
	step = image->machine == EM_AARCH64 ? aarch64_step(insn)
	       : image->machine == EM_ARM   ? arm_step(insn)
	                                    : x86_step(insn);
	step.fills = !strcmp(insn->mnemonic, "nop") || !strcmp(insn->mnemonic, "nop.w");
	return step;
}
