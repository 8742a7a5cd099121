/* SPDX-License-Identifier: BSD-2-Clause */
/* s.c - the harness of body S. */
#include "body.h"

unsigned int body_small(void);

int body_main(void)
{
	unsigned int sum;

	body_begin();
	sum = body_small();
	body_end();
	body_end_of_slow();
	body_print("small", sum);
	return 0;
}
