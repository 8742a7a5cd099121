/* SPDX-License-Identifier: BSD-2-Clause */
/* code_effect_arm.c - the instructions of Arm and Thumb from which compilers make jumps by tables. */
#include "code_effect.h"

/* Calls keep r4 to r11 and sp. */
#define CALL_CLOBBERS 0x500fu
#define LINK_REGISTER 0x4000u

unsigned char code_register_arm(unsigned int reg)
{
	if (reg >= ARM_REG_R0 && reg <= ARM_REG_R12)
		return (unsigned char)(reg - ARM_REG_R0);
	return reg == ARM_REG_SP ? 13 : reg == ARM_REG_LR ? 14 : reg == ARM_REG_PC ? CODE_PC : CODE_NO_REGISTER;
}

static enum code_condition condition(arm_cc cc)
{
	switch (cc) {
	case ARM_CC_HI:
		return CODE_ABOVE;
	case ARM_CC_LS:
		return CODE_AT_MOST;
	case ARM_CC_HS:
		return CODE_AT_LEAST;
	case ARM_CC_LO:
		return CODE_BELOW;
	case ARM_CC_EQ:
		return CODE_EQUAL;
	case ARM_CC_NE:
		return CODE_NOT_EQUAL;
	case ARM_CC_INVALID:
	case ARM_CC_AL:
		return CODE_ALWAYS;
	default:
		return CODE_OTHER;
	}
}

static void list_clobbers(const cs_insn *insn, struct code_effect *effect)
{
	const cs_arm *detail = &insn->detail->arm;
	unsigned int i;

	for (i = 0; i < detail->op_count; i++) {
		const cs_arm_op *operand = &detail->operands[i];
		unsigned char reg = CODE_NO_REGISTER;

		if (operand->type == ARM_OP_REG && operand->access != CS_AC_READ)
			reg = code_register_arm((unsigned int)operand->reg);
		else if (operand->type == ARM_OP_MEM && detail->writeback)
			reg = code_register_arm(operand->mem.base);
		if (reg < CODE_REGISTERS)
			effect->clobbers |= (uint64_t)1 << reg;
	}
	effect->sets_flags = detail->update_flags || insn->id == ARM_INS_TST || insn->id == ARM_INS_TEQ ||
	                     insn->id == ARM_INS_CMN || insn->id == ARM_INS_MSR || insn->id == ARM_INS_VMRS;
}

/* Describes register @reg. The program counter is a number: @pc. */
static bool take(unsigned int reg, uint64_t pc, struct code_operand *described, uint64_t *number)
{
	described->reg = code_register_arm(reg);
	if (described->reg == CODE_PC) {
		described->reg = CODE_NO_REGISTER;
		*number += pc;
		return true;
	}
	return described->reg < CODE_REGISTERS;
}

/* Describes the last operand, which is a number, or a register that may be shifted to the left. */
static bool take_last(const cs_arm_op *operand, uint64_t pc, struct code_effect *effect, bool negative)
{
	if (operand->type == ARM_OP_IMM) {
		effect->number += negative ? 0 - (uint64_t)operand->imm : (uint64_t)operand->imm;
		return true;
	}
	if (operand->type != ARM_OP_REG || negative ||
		(operand->shift.type != ARM_SFT_INVALID && operand->shift.type != ARM_SFT_LSL))
		return false;
	effect->shift = (unsigned char)operand->shift.value;
	return take((unsigned int)operand->reg, pc, &effect->right, &effect->number);
}

/* Describes a shift by a constant number. In A32, this is a property of the operand. Returns false for other shifts. */
static bool take_shift(const cs_arm *detail, struct code_effect *effect)
{
	const cs_arm_op *last = &detail->operands[detail->op_count - 1];

	if (last->type == ARM_OP_IMM)
		effect->shift = (unsigned char)last->imm;
	else if (last->shift.type == ARM_SFT_LSL || last->shift.type == ARM_SFT_LSR)
		effect->shift = (unsigned char)last->shift.value;
	else
		return false;
	return effect->shift < 32;
}

static bool describe_load(const cs_insn *insn, uint64_t pc, struct code_effect *effect)
{
	const cs_arm *detail = &insn->detail->arm;
	const cs_arm_op *memory = &detail->operands[detail->op_count - 1];

	if (memory->type != ARM_OP_MEM || detail->writeback || memory->subtracted || memory->mem.scale < 0 ||
		(memory->shift.type != ARM_SFT_INVALID && memory->shift.type != ARM_SFT_LSL))
		return false;
	effect->number = (uint64_t)(int64_t)memory->mem.disp;
	effect->shift = (unsigned char)memory->shift.value;
	if (!take(memory->mem.base, pc, &effect->left, &effect->number))
		return false;
	return memory->mem.index == ARM_REG_INVALID || take(memory->mem.index, pc, &effect->right, &effect->number);
}

/* Returns whether the operation could be described. @pc is the value of the program counter that it reads. */
static bool describe(const cs_insn *insn, uint64_t pc, struct code_effect *effect)
{
	const cs_arm *detail = &insn->detail->arm;
	const cs_arm_op *operands = detail->operands;
	const cs_arm_op *last = &operands[detail->op_count - 1];
	/* In Thumb code, "add r0, r1" has two operands. */
	const cs_arm_op *first = &operands[detail->op_count == 3];

	switch (insn->id) {
	case ARM_INS_ADR:
		effect->operation = CODE_ADD;
		effect->number = (pc & ~(uint64_t)3) + (uint64_t)last->imm;
		return last->type == ARM_OP_IMM;
	case ARM_INS_ADD:
	case ARM_INS_ADDW:
	case ARM_INS_SUB:
	case ARM_INS_SUBW:
		effect->operation = CODE_ADD;
		/* A number is added to the aligned program counter. */
		return (detail->op_count == 2 || detail->op_count == 3) && first->type == ARM_OP_REG &&
		       first->shift.type == ARM_SFT_INVALID &&
		       take((unsigned int)first->reg, last->type == ARM_OP_IMM ? pc & ~(uint64_t)3 : pc, &effect->left,
			       &effect->number) &&
		       take_last(last, pc, effect, insn->id == ARM_INS_SUB || insn->id == ARM_INS_SUBW);
	case ARM_INS_MOV:
	case ARM_INS_MOVW:
		effect->operation = CODE_ADD;
		return take_last(last, pc, effect, false);
	case ARM_INS_MOVT:
		effect->operation = CODE_INSERT;
		effect->number = (uint64_t)last->imm;
		effect->shift = 16;
		return take((unsigned int)operands[0].reg, pc, &effect->left, &effect->number);
	case ARM_INS_LSL:
		effect->operation = CODE_ADD;
		return take_shift(detail, effect) &&
		       take((unsigned int)operands[1].reg, pc, &effect->right, &effect->number);
	case ARM_INS_LSR:
		effect->operation = CODE_SHIFT_RIGHT;
		return take_shift(detail, effect) &&
		       take((unsigned int)operands[1].reg, pc, &effect->left, &effect->number);
	case ARM_INS_AND:
		effect->operation = CODE_BITS;
		return first->shift.type == ARM_SFT_INVALID && last->shift.type == ARM_SFT_INVALID &&
		       take((unsigned int)first->reg, pc, &effect->left, &effect->after) &&
		       take_last(last, pc, effect, false);
	case ARM_INS_UXTB:
	case ARM_INS_UXTH:
		effect->operation = CODE_BITS;
		effect->number = insn->id == ARM_INS_UXTB ? UINT8_MAX : UINT16_MAX;
		return last->shift.type == ARM_SFT_INVALID &&
		       take((unsigned int)last->reg, pc, &effect->left, &effect->after);
	case ARM_INS_UBFX:
		effect->operation = CODE_BITS;
		effect->shift = (unsigned char)operands[2].imm;
		effect->number = UINT64_MAX >> (64 - (operands[3].imm & 63));
		return operands[3].imm && take((unsigned int)operands[1].reg, pc, &effect->left, &effect->after);
	case ARM_INS_LDR:
	case ARM_INS_LDRB:
	case ARM_INS_LDRH:
	case ARM_INS_LDRSB:
	case ARM_INS_LDRSH:
		effect->operation = CODE_LOAD;
		effect->width = insn->id == ARM_INS_LDR                                 ? 4
		                : insn->id == ARM_INS_LDRH || insn->id == ARM_INS_LDRSH ? 2
		                                                                        : 1;
		effect->is_signed = insn->id == ARM_INS_LDRSB || insn->id == ARM_INS_LDRSH;
		return describe_load(insn, pc & ~(uint64_t)3, effect);
	case ARM_INS_TBB:
	case ARM_INS_TBH:
		effect->operation = CODE_LOAD;
		effect->width = insn->id == ARM_INS_TBB ? 1 : 2;
		effect->after = pc;
		effect->after_shift = 1;
		return describe_load(insn, pc, effect);
	case ARM_INS_CMP:
		effect->operation = CODE_COMPARE;
		return take((unsigned int)operands[0].reg, pc, &effect->left, &effect->number) &&
		       take_last(last, pc, effect, false);
	case ARM_INS_CBZ:
	case ARM_INS_CBNZ:
		effect->operation = CODE_COMPARE;
		return take((unsigned int)operands[0].reg, pc, &effect->left, &effect->number);
	default:
		return false;
	}
}

void code_effect_arm(const cs_insn *insn, bool thumb, struct code_effect *effect)
{
	const cs_arm *detail = &insn->detail->arm;
	bool described;

	list_clobbers(insn, effect);
	effect->condition = condition(detail->cc);
	if (insn->id == ARM_INS_BL || insn->id == ARM_INS_BLX || insn->id == ARM_INS_SVC || insn->id == ARM_INS_HVC ||
		insn->id == ARM_INS_SMC) {
		effect->clobbers |= CALL_CLOBBERS;
		effect->sets_flags = true;
		return;
	}
	/* The condition of the instruction IT belongs to the instructions after it. */
	if (insn->id == ARM_INS_IT) {
		effect->condition = CODE_ALWAYS;
		return;
	}
	described = detail->op_count && describe(insn, insn->address + (thumb ? 4 : 8), effect);
	if (!described)
		effect->operation = CODE_NOTHING;
	if (insn->id == ARM_INS_CBZ || insn->id == ARM_INS_CBNZ) {
		effect->condition = insn->id == ARM_INS_CBZ ? CODE_EQUAL : CODE_NOT_EQUAL;
		effect->branches = true;
	}
	if (!described || effect->operation == CODE_COMPARE)
		return;
	effect->target = insn->id == ARM_INS_TBB || insn->id == ARM_INS_TBH
	                         ? CODE_PC
	                         : code_register_arm((unsigned int)detail->operands[0].reg);
	if (effect->target == CODE_NO_REGISTER)
		effect->operation = CODE_NOTHING;
}

void code_effect_jump(struct code_effect *effect)
{
	effect->clobbers = LINK_REGISTER;
	effect->sets_flags = false;
}
