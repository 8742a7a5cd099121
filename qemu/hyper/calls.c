/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calls.c - serves the hypervisor's own hypercalls. bareprof serves all others.
 */
#include "board.h"
#include "hyper.h"

static bool privileged = true;

void hyper_call(uintptr_t *reg, bool kernel)
{
	/* In the calling convention a function number has 32 bits, even in a 64-bit register. */
	switch ((uint32_t)reg[0]) {
	case CALL_DUMP:
		profile_dump();
		break;
	case CALL_KEEP:
		reg[0] = keep();
		break;
	case CALL_COMPARE:
		reg[0] = keep_compare();
		break;
	case CALL_RESET:
		profile_reset();
		break;
	case CALL_PRIVILEGE:
		privileged = reg[1] != 0;
		break;
	case CALL_EXIT:
		board_exit((int)reg[1]);
	default:
		profile_call(reg, privileged && kernel);
	}
}
