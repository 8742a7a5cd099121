# SPDX-License-Identifier: BSD-2-Clause
# Options to compile the hypervisor for x86_64 with AMD's SVM; see qemu/hyper/hyper.mk.

HYPER_TARGET := x86_64-unknown-none-elf
HYPER_CFLAGS := -mno-red-zone -mgeneral-regs-only -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables \
	-fcf-protection=none -Iarch/x86_64
HYPER_START := 0x100000
HYPER_COUNTED := x86_64/svm.c
HYPER_BOARD := qemu/hyper/x86_64/board.c arch/x86_64/uart16550.c
HYPER_COPY := arch/x86_64/copy.c
HYPER_CALL := arch/x86_64/hypercall.c
