/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - has everything that must come before newlib's start-up. On a Cortex-M, this is the table of vectors, and
 * code that copies .data from ROM to RAM. The board armv7a needs nothing here, because its image is loaded into RAM.
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
