/* SPDX-License-Identifier: BSD-2-Clause */
/* code_effect_aarch64.c - the instructions of AArch64 from which compilers make jumps by tables. */
#include "code_effect.h"

/* Calls keep x19 to x29 and sp. */
#define CALL_CLOBBERS 0x4007ffffu

static bool is_narrow(unsigned int reg)
{
	return reg == ARM64_REG_WSP || reg == ARM64_REG_WZR || (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30);
}

unsigned char code_register_aarch64(unsigned int reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (unsigned char)(reg - ARM64_REG_X0);
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (unsigned char)(reg - ARM64_REG_W0);
	return reg == ARM64_REG_X29                          ? 29
	       : reg == ARM64_REG_X30                        ? 30
	       : reg == ARM64_REG_SP || reg == ARM64_REG_WSP ? 31
	                                                     : CODE_NO_REGISTER;
}

static enum code_condition condition(arm64_cc cc)
{
	switch (cc) {
	case ARM64_CC_HI:
		return CODE_ABOVE;
	case ARM64_CC_LS:
		return CODE_AT_MOST;
	case ARM64_CC_HS:
		return CODE_AT_LEAST;
	case ARM64_CC_LO:
		return CODE_BELOW;
	case ARM64_CC_EQ:
		return CODE_EQUAL;
	case ARM64_CC_NE:
		return CODE_NOT_EQUAL;
	case ARM64_CC_INVALID:
	case ARM64_CC_AL:
	case ARM64_CC_NV:
		return CODE_ALWAYS;
	default:
		return CODE_OTHER;
	}
}

/* Returns whether the instruction changes its first operand. The access that capstone 4 reports is not always right. */
static bool changes_first(const cs_insn *insn)
{
	const char *name = insn->mnemonic;

	if (!strncmp(name, "st", 2))
		return !strncmp(name, "stx", 3) || !strncmp(name, "stlx", 4);
	switch (insn->id) {
	case ARM64_INS_CMP:
	case ARM64_INS_CMN:
	case ARM64_INS_TST:
	case ARM64_INS_CCMP:
	case ARM64_INS_CCMN:
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
	case ARM64_INS_TBZ:
	case ARM64_INS_TBNZ:
	case ARM64_INS_BR:
	case ARM64_INS_BLR:
	case ARM64_INS_RET:
		return false;
	default:
		return true;
	}
}

static void list_clobbers(const cs_insn *insn, struct code_effect *effect)
{
	const cs_arm64 *detail = &insn->detail->arm64;
	unsigned int i;

	for (i = 0; i < detail->op_count; i++) {
		const cs_arm64_op *operand = &detail->operands[i];
		unsigned char reg = CODE_NO_REGISTER;

		if (operand->type == ARM64_OP_REG && (i ? operand->access != CS_AC_READ : changes_first(insn)))
			reg = code_register_aarch64(operand->reg);
		else if (operand->type == ARM64_OP_MEM && detail->writeback)
			reg = code_register_aarch64(operand->mem.base);
		if (reg < CODE_REGISTERS)
			effect->clobbers |= (uint64_t)1 << reg;
	}
	effect->sets_flags = detail->update_flags || insn->id == ARM64_INS_CCMP || insn->id == ARM64_INS_CCMN ||
	                     insn->id == ARM64_INS_FCMP || insn->id == ARM64_INS_FCMPE || insn->id == ARM64_INS_FCCMP ||
	                     insn->id == ARM64_INS_FCCMPE || insn->id == ARM64_INS_TST || insn->id == ARM64_INS_MSR;
}

/* Returns whether @operand is a register that the analysis follows, or always 0. Describes it in @described. */
static bool take(const cs_arm64_op *operand, struct code_operand *described)
{
	static const struct {
		unsigned char bits;
		bool is_signed;
	} extensions[] = {
		[ARM64_EXT_INVALID] = {0, false},
		[ARM64_EXT_UXTB] = {8, false},
		[ARM64_EXT_UXTH] = {16, false},
		[ARM64_EXT_UXTW] = {32, false},
		[ARM64_EXT_UXTX] = {0, false},
		[ARM64_EXT_SXTB] = {8, true},
		[ARM64_EXT_SXTH] = {16, true},
		[ARM64_EXT_SXTW] = {32, true},
		[ARM64_EXT_SXTX] = {0, false},
	};
	unsigned int reg = operand->type == ARM64_OP_REG ? operand->reg : operand->mem.index;

	described->reg = code_register_aarch64(reg);
	described->bits = extensions[operand->ext].bits;
	described->is_signed = extensions[operand->ext].is_signed;
	if (!described->bits && is_narrow(reg))
		described->bits = 32;
	return described->reg < CODE_REGISTERS || reg == ARM64_REG_XZR || reg == ARM64_REG_WZR ||
	       (operand->type == ARM64_OP_MEM && reg == ARM64_REG_INVALID);
}

/* Describes the last operand, which is a number, or a register that may be shifted to the left. */
static bool take_last(const cs_arm64_op *operand, struct code_effect *effect, bool negative)
{
	if (operand->shift.type != ARM64_SFT_INVALID && operand->shift.type != ARM64_SFT_LSL)
		return false;
	if (operand->type == ARM64_OP_IMM) {
		effect->number = (uint64_t)operand->imm << operand->shift.value;
		if (negative)
			effect->number = 0 - effect->number;
		return true;
	}
	effect->shift = (unsigned char)operand->shift.value;
	return operand->type == ARM64_OP_REG && !negative && take(operand, &effect->right);
}

static bool describe_load(const cs_insn *insn, struct code_effect *effect)
{
	const cs_arm64_op *memory = &insn->detail->arm64.operands[1];
	unsigned char full = is_narrow(insn->detail->arm64.operands[0].reg) ? 4 : 8;

	switch (insn->id) {
	case ARM64_INS_LDRB:
	case ARM64_INS_LDRSB:
		effect->width = 1;
		break;
	case ARM64_INS_LDRH:
	case ARM64_INS_LDRSH:
		effect->width = 2;
		break;
	case ARM64_INS_LDRSW:
		effect->width = 4;
		break;
	default:
		effect->width = full;
	}
	effect->is_signed = insn->id == ARM64_INS_LDRSB || insn->id == ARM64_INS_LDRSH || insn->id == ARM64_INS_LDRSW;
	if (memory->type == ARM64_OP_IMM) {
		effect->number = (uint64_t)memory->imm;
		return true;
	}
	if (memory->type != ARM64_OP_MEM || insn->detail->arm64.writeback)
		return false;
	effect->left.reg = code_register_aarch64(memory->mem.base);
	effect->number = (uint64_t)(int64_t)memory->mem.disp;
	effect->shift = (unsigned char)memory->shift.value;
	return effect->left.reg < CODE_REGISTERS && take(memory, &effect->right) &&
	       (memory->shift.type == ARM64_SFT_INVALID || memory->shift.type == ARM64_SFT_LSL);
}

/* Returns whether the operation could be described. */
static bool describe(const cs_insn *insn, struct code_effect *effect)
{
	const cs_arm64 *detail = &insn->detail->arm64;
	const cs_arm64_op *operands = detail->operands;

	switch (insn->id) {
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
	case ARM64_INS_MOVZ:
	case ARM64_INS_MOVN:
		effect->operation = CODE_ADD;
		effect->number = (uint64_t)operands[1].imm << operands[1].shift.value;
		if (insn->id == ARM64_INS_MOVN)
			effect->number = ~effect->number;
		return operands[1].type == ARM64_OP_IMM;
	case ARM64_INS_MOVK:
		effect->operation = CODE_INSERT;
		effect->number = (uint64_t)operands[1].imm;
		effect->shift = (unsigned char)operands[1].shift.value;
		return take(&operands[0], &effect->left);
	case ARM64_INS_MOV:
		effect->operation = CODE_ADD;
		return take_last(&operands[1], effect, false);
	case ARM64_INS_ADD:
	case ARM64_INS_SUB:
		effect->operation = CODE_ADD;
		return detail->op_count == 3 && take(&operands[1], &effect->left) &&
		       take_last(&operands[2], effect, insn->id == ARM64_INS_SUB);
	case ARM64_INS_LSL:
		effect->operation = CODE_ADD;
		effect->shift = (unsigned char)operands[2].imm;
		return operands[2].type == ARM64_OP_IMM && take(&operands[1], &effect->right);
	case ARM64_INS_LSR:
		effect->operation = CODE_SHIFT_RIGHT;
		effect->shift = (unsigned char)operands[2].imm;
		return operands[2].type == ARM64_OP_IMM && take(&operands[1], &effect->left);
	case ARM64_INS_AND:
		effect->operation = CODE_BITS;
		effect->number = (uint64_t)operands[2].imm;
		return operands[2].type == ARM64_OP_IMM && take(&operands[1], &effect->left);
	case ARM64_INS_UXTB:
	case ARM64_INS_UXTH:
		effect->operation = CODE_BITS;
		effect->number = insn->id == ARM64_INS_UXTB ? UINT8_MAX : UINT16_MAX;
		return take(&operands[1], &effect->left);
	case ARM64_INS_UBFX:
		effect->operation = CODE_BITS;
		effect->shift = (unsigned char)operands[2].imm;
		effect->number = UINT64_MAX >> (64 - (operands[3].imm & 63));
		return operands[3].imm && take(&operands[1], &effect->left);
	case ARM64_INS_LDR:
	case ARM64_INS_LDRB:
	case ARM64_INS_LDRH:
	case ARM64_INS_LDRSB:
	case ARM64_INS_LDRSH:
	case ARM64_INS_LDRSW:
	case ARM64_INS_LDUR:
		effect->operation = CODE_LOAD;
		return describe_load(insn, effect);
	case ARM64_INS_CMP:
		effect->operation = CODE_COMPARE;
		return take(&operands[0], &effect->left) && take_last(&operands[1], effect, false);
	case ARM64_INS_CBZ:
	case ARM64_INS_CBNZ:
		effect->operation = CODE_COMPARE;
		return take(&operands[0], &effect->left);
	case ARM64_INS_BR:
		effect->operation = CODE_ADD;
		return take(&operands[0], &effect->right);
	default:
		return false;
	}
}

void code_effect_aarch64(const cs_insn *insn, struct code_effect *effect)
{
	const cs_arm64 *detail = &insn->detail->arm64;
	bool described;

	list_clobbers(insn, effect);
	if (insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR || insn->id == ARM64_INS_SVC ||
		insn->id == ARM64_INS_HVC || insn->id == ARM64_INS_SMC) {
		effect->clobbers |= CALL_CLOBBERS;
		effect->sets_flags = true;
		return;
	}
	described = describe(insn, effect);
	if (!described)
		effect->operation = CODE_NOTHING;
	if (insn->id == ARM64_INS_B)
		effect->condition = condition(detail->cc);
	if (insn->id == ARM64_INS_CBZ || insn->id == ARM64_INS_CBNZ) {
		effect->condition = insn->id == ARM64_INS_CBZ ? CODE_EQUAL : CODE_NOT_EQUAL;
		effect->branches = true;
	} else if (insn->id == ARM64_INS_TBZ || insn->id == ARM64_INS_TBNZ) {
		effect->condition = CODE_OTHER;
	}
	if (!described || effect->operation == CODE_COMPARE)
		return;
	effect->target = CODE_PC;
	if (insn->id == ARM64_INS_BR)
		return;
	effect->target = code_register_aarch64(detail->operands[0].reg);
	effect->narrow = is_narrow(detail->operands[0].reg);
	if (effect->target >= CODE_REGISTERS)
		effect->operation = CODE_NOTHING;
}
