/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * divide.c - division for a processor without an instruction for it, under the
 * names that the Arm ABI has. The kernel does not divide, but compilers make
 * divisions of loops that subtract.
 */
#include <stdint.h>

uint32_t __aeabi_uidiv(uint32_t dividend, uint32_t divisor);
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor);

/* Quotient in the lower half (r0), remainder in the upper one (r1). */
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor)
{
	uint32_t quotient = 0;
	uint32_t rest = 0;
	int bit;

	for (bit = 31; bit >= 0; bit--) {
		/* What is lost to the left makes the rest larger than any divisor. */
		uint32_t lost = rest >> 31;

		rest = rest << 1 | (dividend >> bit & 1);
		if (lost || rest >= divisor) {
			rest -= divisor;
			quotient |= 1u << bit;
		}
	}
	return (uint64_t)rest << 32 | quotient;
}

uint32_t __aeabi_uidiv(uint32_t dividend, uint32_t divisor)
{
	return (uint32_t)__aeabi_uidivmod(dividend, divisor);
}
