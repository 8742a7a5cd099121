/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first.c - tests the function that a machine profile calls at the first call of a function. Each case sets an entry
 * and the clock, and states what they must be after one call. All registers must be unchanged. run() returns 0 or the
 * number of the first case that failed; 100 more if a register was changed.
 */
#include <bareprof/mip.h>

#define NONE BAREPROF_MIP_ORDER_NONE

struct entry {
	uint32_t count;
	uint32_t order;
};

struct entry entry;
uintptr_t in[32];
uintptr_t out[32];
BAREPROF_STATE;

void step(void);
int run(void);

static const struct {
	struct entry before;
	uint32_t clock;
	struct entry after;
	uint32_t clock_after;
} cases[] = {
	/* 1: the first call; 2: a later call */
	{{0xffffffff, NONE}, 0, {0, 1}, 1},
	{{0, 1}, 7, {1, 1}, 7},
	/* 3: the order follows the clock; 4 to 6: the last order */
	{{0xffffffff, NONE}, 41, {0, 42}, 42},
	{{0xffffffff, NONE}, 0xfffffc, {0, 0xfffffd}, 0xfffffd},
	{{0xffffffff, NONE}, 0xfffffd, {0, 0xfffffe}, 0xfffffe},
	{{0xffffffff, NONE}, 0xfffffffd, {0, 0xfffffe}, 0xfffffffe},
	/* 7: the count with all bits but the highest; 8: the first count above 2^31 */
	{{0x7ffffffe, 5}, 9, {0x7fffffff, 5}, 9},
	{{0x80000000, 5}, 9, {1, 0x01000005}, 9},
	/* 9: a CPU was late; 10: 254 overflows; 11: 255 overflows are the most */
	{{0x80000004, 5}, 9, {5, 0x01000005}, 9},
	{{0x80000000, 0xfe000005}, 9, {1, 0xff000005}, 9},
	{{0x80000000, 0xff000005}, 9, {1, 0xff000005}, 9},
	/* 12: another CPU already counted the first call; 13: an entry without order overflows */
	{{0xffffffff, 3}, 9, {0, 3}, 9},
	{{0x80000000, NONE}, 9, {1, 0x0100000a}, 10},
};

int run(void)
{
	unsigned int n = sizeof(cases) / sizeof(cases[0]);
	unsigned int i;
	unsigned int j;

	for (i = 0; i < n; i++) {
		for (j = 0; j < 32; j++)
			in[j] = out[j] = ((uintptr_t)0x5a3c7e1 << (sizeof(uintptr_t) * 4)) + 0x1003 * (i + 1) * (j + 1);
		entry = cases[i].before;
		bareprof_global_state.clock = cases[i].clock;
		step();
		if (entry.count != cases[i].after.count || entry.order != cases[i].after.order ||
			bareprof_global_state.clock != cases[i].clock_after)
			return (int)i + 1;
		for (j = 0; j < 32; j++)
			if (out[j] != in[j])
				return (int)i + 101;
	}
	return 0;
}
