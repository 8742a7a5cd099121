/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - what comes before newlib's start-up: on a Cortex-M the vectors, and
 * .data, which is in ROM at first. The other board's image is loaded as it is.
 */
void _start(void);

#if __ARM_ARCH_PROFILE == 'M'
extern char stack_top[];
extern unsigned int data_start[], data_end[], data_image[];

void reset(void);

void reset(void)
{
	const unsigned int *from = data_image;
	unsigned int *to = data_start;

	while (to < data_end)
		*to++ = *from++;
	_start();
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {stack_top, (void *)reset};
#endif
