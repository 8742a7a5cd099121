/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * divide.c - division for a processor without a divide instruction, under the names
 * of the Arm ABI. The kernel does not divide, but compilers turn loops that subtract
 * into divisions.
 */
#include <stdint.h>

uint32_t __aeabi_uidiv(uint32_t dividend, uint32_t divisor);
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor);

/* Returns the quotient in the lower half (r0) and the remainder in the upper half (r1). */
uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor)
{
	uint32_t quotient = 0;
	uint32_t rest = 0;
	int bit;

	for (bit = 31; bit >= 0; bit--) {
		/* If the shift loses a 1, the remainder has 33 bits, so it is larger than any divisor. */
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
