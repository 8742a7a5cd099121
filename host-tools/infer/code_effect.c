/* SPDX-License-Identifier: BSD-2-Clause */
/* code_effect.c - the effect of an instruction whose machine does not matter. */
#include "code_effect.h"

#include <elf.h>

struct code_effect code_effect(const struct disassembler *disassembler, const struct image *image, bool thumb)
{
	const cs_insn *insn = disassembler->instruction;
	struct code_effect effect = {
		.target = CODE_NO_REGISTER, .left.reg = CODE_NO_REGISTER, .right.reg = CODE_NO_REGISTER};

	/* An instruction that capstone does not know may change everything. */
	if (!insn->id || (image->machine != EM_AARCH64 && image->machine != EM_ARM)) {
		effect.clobbers = UINT32_MAX;
		effect.sets_flags = true;
	} else if (image->machine == EM_AARCH64) {
		code_effect_aarch64(insn, &effect);
	} else {
		code_effect_arm(insn, thumb, &effect);
	}
	return effect;
}
