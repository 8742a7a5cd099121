/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.c - the main program of an image in which several objects define the same weak function. */
#include "weak.h"

#define PARTS(PART)                                                                                                    \
	__attribute__((weak)) int before##PART(int n);                                                                 \
	__attribute__((weak)) int behind##PART(int n);
PARTS(1)
PARTS(2)
PARTS(3)
PARTS(4)

static int (*const others[])(int) = {before1, behind1, before2, behind2, before3, behind3, before4, behind4};

#define OTHERS ((int)(sizeof(others) / sizeof(*others)))

/* Each function is called a different number of times, so that all counts differ. */
int main(void)
{
	int i;
	int n;

	for (n = 0; n < 120; n++)
		chosen(n);
	for (i = 0; i < OTHERS; i++)
		for (n = 0; others[i] && n < 200 + 20 * i; n++)
			others[i](n);
	return 0;
}
