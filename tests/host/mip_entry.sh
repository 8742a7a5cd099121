#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mip_entry.sh: checks where the rewriter puts entry sequences into small texts, and which texts it refuses or passes
# unchanged.
# shellcheck disable=SC2086
. "$(dirname "$0")/../lib.sh"
rewriter=$ROOT/build/tests/bin/rewriter
mark='/\*bareprof\*/$'

# originals FILE: prints the lines that the rewriter did not add.
originals() { grep -v "$mark" "$1"; }

# placed NAME TARGET: reads assembly text from standard input. In the text, the comment FIRST is in each line before
# which an entry sequence belongs. Then each such line must have a sequence before it, and no other line may have one.
placed() {
	cat >"$WORK/placed.s"
	if ! "$rewriter" "$WORK/placed.s" $2 >"$WORK/placed.out" 2>"$WORK/placed.counts"; then
		fails "entry sequence: $1" "$WORK/placed.counts"
		return
	fi
	originals "$WORK/placed.out" >"$WORK/placed.same"
	cmp -s "$WORK/placed.s" "$WORK/placed.same" || not_ok "entry sequence: $1: other lines differ"
	awk -v mark="$mark" '
		/FIRST/ && !sequence { print "no sequence before: " $0; bad = 1 }
		$0 !~ mark { if (sequence && !/FIRST/) { print "sequence before: " $0; bad = 1 } sequence = 0 }
		$0 ~ mark && /movb|strb|ldr ip/ { n += !sequence; sequence = 1 }
		/FIRST/ { places++ }
		END { if (!n || n != places) print n + 0 " sequences, expected: " places; exit bad || !n || n != places }' \
		"$WORK/placed.out" >"$WORK/placed.log"
	if [ -s "$WORK/placed.log" ]; then
		fails "entry sequence: $1" "$WORK/placed.log"
	else
		ok "entry sequence: $1"
	fi
}

placed "before inline assembly, except in functions that consist of it" x86_64 <<'S'
	.file	"a.c"
	.text
	.type	f, @function
f:
	.loc	1 3 16
	.cfi_startproc
	.loc	1 4 2	# FIRST
	#APP
	movq	%rsp, %rax
	#NO_APP
	ret
	.size	f, .-f
	.type	naked, @function
naked:
	#APP
	jmp	f
	#NO_APP
	ud2
	.size	naked, .-naked
	.type	trap, @function
trap:
	ud2	# FIRST
	.size	trap, .-trap
S
placed "not in a naked function with statements of gcc for Arm" "" <<'S'
	.cpu cortex-m3
	.arch armv7-m
	.file	"a.c"
	.text
	.syntax unified
	.thumb
	.thumb_func
	.type	naked, %function
naked:
	@ Naked Function: prologue and epilogue provided by programmer.
	@ args = 0, pretend = 0, frame = 0
	movs	r2, #3
	.size	naked, .-naked
	.syntax unified
	.thumb
	.thumb_func
	.type	f, %function
f:
	@ args = 0, pretend = 0, frame = 0
	bx	lr	@ FIRST
	.size	f, .-f
S
placed "after endbr64, patchable nops and __fentry__, before the label of a loop" x86_64 <<'S'
	.file	"a.c"
	.text
	.type	f, @function
f:
.LVL0:
.LFB1:
	.loc 1 3 16 view -0
	.cfi_startproc
	endbr64
	.section	__patchable_function_entries,"awo",@progbits,f
	.align 8
	.quad	.LPFE1
	.text
.LPFE1:
	nop
	xchgw	%ax, %ax
1:	call	*__fentry__@GOTPCREL(%rip)
	.section __mcount_loc, "a",@progbits
	.quad 1b
	.previous
	.loc 1 3 17 view .LVU1	# FIRST
.LBB4:
	.p2align 4,,10
.L2:
	subl	$1, %edi
	jne	.L2
	ret
	.cfi_endproc
.LFE1:
	.size	f, .-f
	.type	g, @function
g:
.L3:	# FIRST
	subl	$1, %edi
	jne	.L3
	ret
	.size	g, .-g
	.type	i, @function
i:
	.loc 1 3 17 view .LVU1
	.cfi_startproc
	.p2align 4,,10	# FIRST
.L4:
	.loc 1 4 17 view .LVU1
	subl	$1, %edi
	jne	.L4
	ret
	.size	i, .-i
	.type	h, @function
h:
.Lh$local:
	.type	.Lh$local,@function
.Ltmp1:	# FIRST
	movl	table(,%rdi,8), %eax
	call	.Lh$local
	ret
.Lfunc_end2:
	.size	h, .Lfunc_end2-h
# -- Begin function
	.section	.text.unlikely
	.type	g.cold, @function
g.cold:
	ret
	.size	g.cold, .-g.cold
	.section	.rodata
table:	.quad	.Ltmp1
S
placed "after bti and paciasp, also as hints" aarch64 <<'S'
	.file	"a.c"
	.text
	.type	f, %function
f:
	hint	34 // bti c
	nop
.LFB1:
	.cfi_startproc
	hint	#25
	.cfi_negate_ra_state
	stp	x29, x30, [sp, -16]!	// FIRST
	ret
	.size	f, .-f
	.type	g, %function
g:
	bti	c
	paciasp
.L2:	// FIRST
	cbnz	x0, .L2
	ret
	.size	g, .-g
S
placed "after pacbti, which has a value in ip" arm <<'S'
	.arch armv8.1-m.main
	.file	"a.c"
	.text
	.syntax unified
	.thumb
	.thumb_func
	.type	f, %function
f:
	@ args = 0, pretend = 0, frame = 0
	pacbti	ip, lr, sp
	push	{ip, lr}	@ FIRST
	bx	lr
	.size	f, .-f
S
check "a value in ip is saved first" sh -c "grep -A1 pacbti '$WORK/placed.out' | grep -q 'str ip, \[sp, #-4\]!'"
"$rewriter" - arm calls >"$WORK/nested.out" 2>"$WORK/nested.log" <<'S'
	.arch armv6s-m
	.file	"a.c"
	.text
	.syntax unified
	.code	16
	.thumb_func
	.type	inner.0, %function
inner.0:
	@ args = 0, pretend = 0, frame = 0
	mov	r3, ip
	bx	lr
	.size	inner.0, .-inner.0
S
check "a nested function of gcc keeps ip, also across the call" sh -c "
	grep -A1 'bl __bareprof_mip_first' '$WORK/nested.out' | grep -q 'pop {r0, r1}' && grep -q 'mov ip, r1' '$WORK/nested.out'"
placed "after both labels of an entry from the non-secure state" arm <<'S'
	.arch armv8-m.main
	.file	"a.c"
	.text
	.syntax unified
	.thumb
	.thumb_func
	.type	__acle_se_f, %function
	.syntax unified
	.thumb
	.thumb_func
	.type	f, %function
f:
__acle_se_f:
	@ args = 0, pretend = 0, frame = 0
	bxns	lr	@ FIRST
	.size	f, .-f
S
check "lr may be even there" grep -q 'strb ip, \[ip\]' "$WORK/placed.out"
placed "after the data for checks of calls, which have a symbol" x86_64 <<'S'
	.file	"a.c"
	.text
	.type	__cfi_f,@function
__cfi_f:
	nop
	movl	$12345678, %eax
.Lcfi_func_end0:
	.size	__cfi_f, .Lcfi_func_end0-__cfi_f
	.type	f,@function
f:                                      # @f -- Begin function f
	retq	# FIRST
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
	.type	__cfi_check,@function
__cfi_check:
	retq	# FIRST
.Lfunc_end1:
	.size	__cfi_check, .Lfunc_end1-__cfi_check
S
placed "not in thunks without size" x86_64 <<'S'
	.file	"a.c"
	.text
	.type	f, @function
f:
	jmp	__x86_return_thunk	# FIRST
	.size	f, .-f
	.section	.text.__x86_return_thunk,"axG",@progbits,__x86_return_thunk,comdat
	.type	__x86_return_thunk, @function
__x86_return_thunk:
	lea	8(%rsp), %rsp
	ret
S
placed "not in functions that return from interrupts" x86_64 <<'S'
	.file	"a.c"
	.text
	.type	f, @function
f:
	ret	# FIRST
	.size	f, .-f
	.type	handler, @function
handler:
	pushq	%rax
	iretq
	.size	handler, .-handler
S
check "a function that returns from an interrupt is counted with its reason" \
	grep -qx 'functions 1 0 1 0 0 0' "$WORK/placed.counts"

# refused NAME PATTERN TARGET: the text on standard input must be refused with a message that matches PATTERN.
refused() {
	cat >"$WORK/refused.s"
	refuses "refused: $1" "$2" "$rewriter" "$WORK/refused.s" $3
}
refused "a function without end" 'refused.s:4: the function f has no directive .size' x86_64 <<'S'
	.file	"a.c"
	.text
	.type	f, @function
f:
	ret
S
printf '\t.file\t"a.c"\n\tret' | refused "text that ends within a line" 'refused.s:2: .*ends within a line' x86_64
refused "inline assembly without end" 'refused.s:5: the end of this inline assembly is missing' x86_64 <<'S'
	.file	"a.c"
	.text
	.type	f, @function
f:
#APP
# 1 "a.c" 1
	nop
	.size	f, .-f
S
refused "a block comment" 'refused.s:2: a block comment is outside inline assembly' x86_64 <<'S'
	.file	"a.c"
	nop /* comment */
S
refused "16-bit code" 'refused.s:2: .* does not support 16-bit and 32-bit code of x86' x86_64 <<'S'
	.file	"a.c"
	.code16gcc
	.type	f, @function
f:	ret
	.size	f, .-f
S
refused "Arm state before Armv7" 'refused.s:6: f is in Arm state, for which bareprof mip needs Armv7' arm <<'S'
	.arch armv5te
	.file	"a.c"
	.syntax unified
	.arm
	.type	f, %function
f:
	@ args = 0, pretend = 0, frame = 0
	bx	lr
	.size	f, .-f
S
refused "clang's text without comments" 'refused.s:5: .*compile with -fverbose-asm' x86_64 <<'S'
	.file	"a.c"
	.type	f,@function
f:
	retq
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
S
refused "an unknown processor" 'refused.s:1: the processor is unknown' <<'S'
	.file	"a.c"
	.option nopic
	.type	f, @function
f:	ret
S
refused "32-bit code" 'refused.s:1: this is 32-bit code of x86' <<'S'
	.file	"a.c"
	.type	f, @function
f:	movl	4(%esp), %eax
	ret
S
refused "gcc's link-time optimization" "wrote code for gcc's link-time optimization, .*without -flto" x86_64 <<'S'
	.file	"a.c"
	.section	.gnu.lto_.inline.1234,"e",@progbits
S
printf 'BC\300\336' | refused "LLVM bitcode" 'wrote LLVM bitcode, .*without -flto' x86_64

# unchanged NAME PATTERN: the text on standard input must pass unchanged, except that compiled text gets a first line.
unchanged() {
	cat >"$WORK/unchanged.s"
	check "unchanged: $1" sh -c "'$rewriter' '$WORK/unchanged.s' >'$WORK/unchanged.out' 2>'$WORK/unchanged.log' &&
		sed '1{\\,$mark,d}' '$WORK/unchanged.out' | cmp '$WORK/unchanged.s' - && grep -q '$2' '$WORK/unchanged.log'"
}
unchanged "assembly by hand" "by hand" <<'S'
	.file	"start.S"
	.type	f, @function
f:	ret
	.size	f, .-f
S
unchanged "assembly by hand, without a name" "by hand" <<'S'
	.type	f, @function
f:	ret
	.size	f, .-f
S
unchanged "text without functions, for an unknown processor" "functions 0" <<'S'
	.file	"a.c"
	.globl	value
	.data
	.type	value, @object
value:	.long	1
S
check "unchanged: what was rewritten before" sh -c "'$rewriter' '$WORK/placed.out' 2>'$WORK/unchanged.log' |
	cmp '$WORK/placed.out' - && grep -q 'rewritten before' '$WORK/unchanged.log'"
