/* SPDX-License-Identifier: BSD-2-Clause */
/* hand.S - assembly that was written by hand, so it has no map. */
	.section .text.by_hand, "ax", %progbits
	.globl by_hand
	.type by_hand, %function
#ifdef __thumb__
	.thumb
	.thumb_func
#endif
by_hand:
#if defined(__x86_64__)
	ret
#elif defined(__aarch64__)
	ret
#else
	bx lr
#endif
	.size by_hand, . - by_hand
	.section .note.GNU-stack, "", %progbits
