// SPDX-License-Identifier: BSD-2-Clause
/* shapes_area.c - the second file of the module shapes. */
#include <linux/kernel.h>

#include "shapes.h"

int area(int kind, int size)
{ /* 7 times */
	int n = within(size, 100);

	switch (kind) {
	case 0:
		return n * n; /* 1 times */
	case 1:
		return n * n / 2; /* 1 times */
	case 2:
		return n; /* 4 times */
	default:
		return 0; /* 1 times */
	}
}

int nobody_calls(void);
int nobody_calls(void)
{ /* 0 times */
	return area(1, 1); /* 0 times */
}
