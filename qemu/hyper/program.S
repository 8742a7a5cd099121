/* SPDX-License-Identifier: BSD-2-Clause */
/* program.S - includes the linked guest in the hypervisor. */
	.section .rodata, "a", %progbits
	.globl guest_program, guest_program_end
guest_program:
	.incbin GUEST_PROGRAM
guest_program_end:

	.section .note.GNU-stack, "", %progbits
