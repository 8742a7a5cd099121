/* SPDX-License-Identifier: BSD-2-Clause */
/* input.S - the text that body Z compresses, and the same text as xz compressed it on the host. */
	.section .rodata
	.balign 64
	.globl body_text, body_text_end, body_xz, body_xz_end
body_text:
	.incbin "text"
body_text_end:
	.balign 64
body_xz:
	.incbin "text.xz"
body_xz_end:
#ifdef __arm__
	.section .note.GNU-stack, "", %progbits
#else
	.section .note.GNU-stack, "", @progbits
#endif
