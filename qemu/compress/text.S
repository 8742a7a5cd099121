/* SPDX-License-Identifier: BSD-2-Clause */
/* text.S - the text that the load compresses, and the same text as xz compressed it on the host. */
#define QUOTED_NAME(name) #name
#define QUOTED(name)      QUOTED_NAME(name)
	.section .rodata.text, "a"
	.balign 64
	.globl body_text, body_text_end, body_xz, body_xz_end
body_text:
	.incbin QUOTED(COMPRESS_FOLDER/text)
body_text_end:
	.balign 64
body_xz:
	.incbin QUOTED(COMPRESS_FOLDER/text.xz)
body_xz_end:
