/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first.S - step() loads all registers from in[], runs the sequence that `bareprof mip cc` adds to a function in the
 * mode "calls", and stores all registers to out[]. The entry of the sequence is `entry`. With AT=1, the sequence of
 * AArch64 is the one of --atomic. _start calls run() and ends the program with its result as status.
 */
#if defined(__x86_64__)
	.globl _start, step
	.text
_start:
	xorl %ebp, %ebp
	andq $-16, %rsp
	call run
	movl %eax, %edi
	movl $60, %eax
	syscall

	.macro each register number
	movq in+8*\number(%rip), %\register
	.endm
	.macro back register number
	movq %\register, out+8*\number(%rip)
	.endm
	.macro all what
	\what rax 0
	\what rcx 1
	\what rdx 2
	\what rbx 3
	\what rbp 4
	\what rsi 5
	\what rdi 6
	\what r8 7
	\what r9 8
	\what r10 9
	\what r11 10
	\what r12 11
	\what r13 12
	\what r14 13
	\what r15 14
	.endm
step:
	pushq %rbx
	pushq %rbp
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, in+8*15(%rip)
	all each
#ifdef AT
	lock
#endif
	incl entry(%rip)
	jg 1f
	call __bareprof_mip_first
1:
	all back
	movq %rsp, out+8*15(%rip)
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbp
	popq %rbx
	ret

#elif defined(__aarch64__)
	.globl _start, step
	.text
_start:
	bl run
	mov x8, #93
	svc #0

	.macro pairs what base
	\what x0, x1, [\base]
	\what x2, x3, [\base, #16]
	\what x4, x5, [\base, #32]
	\what x6, x7, [\base, #48]
	\what x8, x9, [\base, #64]
	\what x10, x11, [\base, #80]
	\what x12, x13, [\base, #96]
	\what x14, x15, [\base, #112]
	\what x18, x19, [\base, #128]
	\what x20, x21, [\base, #144]
	\what x22, x23, [\base, #160]
	\what x24, x25, [\base, #176]
	\what x26, x27, [\base, #192]
	\what x28, x29, [\base, #208]
	.endm
step:
	stp x19, x20, [sp, #-112]!
	stp x21, x22, [sp, #16]
	stp x23, x24, [sp, #32]
	stp x25, x26, [sp, #48]
	stp x27, x28, [sp, #64]
	stp x29, x30, [sp, #80]
	str x18, [sp, #96]
	adrp x16, in
	add x16, x16, :lo12:in
	mov x17, sp
	str x17, [x16, #232]
	ldr x30, [x16, #224]
	pairs ldp x16
#ifdef AT
	adrp x16, entry
	add x16, x16, :lo12:entry
	str x15, [sp, #-16]!
2:	ldxr w17, [x16]
	adds w17, w17, #1
	stxr w15, w17, [x16]
	cbnz w15, 2b
	ldr x15, [sp], #16
	b.gt 1f
	stp x16, x30, [sp, #-16]!
	bl __bareprof_mip_first_at
	ldp x16, x30, [sp], #16
#else
#ifdef PAGE
	/* An erratum of the Cortex-A53 concerns an adrp at this offset in a page. */
	b 3f
	.balign 4096
	.skip PAGE
3:
#endif
	adrp x16, entry
	ldr w17, [x16, :lo12:entry]
	adds w17, w17, #1
	str w17, [x16, :lo12:entry]
	b.gt 1f
	mov x17, x30
	bl __bareprof_mip_first
#endif
1:
	adrp x16, out
	add x16, x16, :lo12:out
	pairs stp x16
	str x30, [x16, #224]
	mov x17, sp
	str x17, [x16, #232]
	ldr x18, [sp, #96]
	ldp x29, x30, [sp, #80]
	ldp x27, x28, [sp, #64]
	ldp x25, x26, [sp, #48]
	ldp x23, x24, [sp, #32]
	ldp x21, x22, [sp, #16]
	ldp x19, x20, [sp], #112
	ret

#else
	.syntax unified
#ifdef __thumb__
	.thumb
	.thumb_func
#endif
	.globl _start
#if __ARM_ARCH == 6
	/* This program runs as firmware. The status of the semihosting call EXIT_EXTENDED ends QEMU. */
	.section .vectors, "ax", %progbits
	.4byte 0x20001000, _start
	.text
	.type _start, %function
_start:
	bl run
	ldr r1, =out
	ldr r2, =0x20026
	str r2, [r1]
	str r0, [r1, #4]
	movs r0, #0x20
	bkpt 0xab
#else
_start:
	bl run
	movs r7, #1
	svc #0
#endif
#ifdef __thumb__
	.thumb_func
#endif
	.globl step
#if __ARM_ARCH == 6
step:
	push {r4-r7, lr}
	mov r4, r8
	mov r5, r9
	mov r6, r10
	mov r7, r11
	push {r4-r7}
	ldr r0, =in
	mov r1, sp
	str r1, [r0, #56]
	ldr r1, [r0, #52]
	mov lr, r1
	ldr r1, [r0, #48]
	mov ip, r1
	ldr r1, [r0, #44]
	mov r11, r1
	ldr r1, [r0, #40]
	mov r10, r1
	ldr r1, [r0, #36]
	mov r9, r1
	ldr r1, [r0, #32]
	mov r8, r1
	ldr r1, [r0, #4]
	ldr r2, [r0, #8]
	ldr r3, [r0, #12]
	ldr r4, [r0, #16]
	ldr r5, [r0, #20]
	ldr r6, [r0, #24]
	ldr r7, [r0, #28]
	ldr r0, [r0]
	push {r0, r1}
	b 4f
	.balign 4
3:	.4byte entry
4:	ldr r0, 5f
	ldr r1, [r0]
	adds r1, r1, #1
	str r1, [r0]
	bgt 1f
	push {r0, lr}
	bl __bareprof_mip_first
	pop {r0, r1}
	mov lr, r1
1:	pop {r0, r1}
	push {r0, r1}
	ldr r0, =out
	str r2, [r0, #8]
	str r3, [r0, #12]
	str r4, [r0, #16]
	str r5, [r0, #20]
	str r6, [r0, #24]
	str r7, [r0, #28]
	pop {r2, r3}
	str r2, [r0]
	str r3, [r0, #4]
	mov r1, r8
	str r1, [r0, #32]
	mov r1, r9
	str r1, [r0, #36]
	mov r1, r10
	str r1, [r0, #40]
	mov r1, r11
	str r1, [r0, #44]
	mov r1, ip
	str r1, [r0, #48]
	mov r1, lr
	str r1, [r0, #52]
	mov r1, sp
	str r1, [r0, #56]
	pop {r4-r7}
	mov r8, r4
	mov r9, r5
	mov r10, r6
	mov r11, r7
	pop {r4-r7, pc}
	.balign 4
5:	.4byte entry
	.ltorg
#else
step:
	push {r4-r11, lr}
	ldr ip, =in
	str sp, [ip, #56]
	ldr lr, [ip, #52]
	ldm ip, {r0-r11}
	movw ip, #:lower16:entry
	movt ip, #:upper16:entry
#ifdef AT
	push {r0, r1}
2:	ldrex r0, [ip]
	adds r0, r0, #1
	strex r1, r0, [ip]
	cmp r1, #0
	bne 2b
	cmp r0, #0
	pop {r0, r1}
#else
	push {r0}
	ldr r0, [ip]
	adds r0, r0, #1
	str r0, [ip]
	pop {r0}
#endif
	bgt 1f
	push {ip, lr}
	bl __bareprof_mip_first
	pop {ip, lr}
1:
	ldr ip, =out
	stm ip, {r0-r11}
	str lr, [ip, #52]
	str sp, [ip, #56]
	pop {r4-r11, pc}
	.ltorg
#endif
#endif
	.section .note.GNU-stack, "", %progbits
