# SPDX-License-Identifier: BSD-2-Clause
# Options to compile the hypervisor for AArch64 at EL2; see qemu/hyper/hyper.mk.

HYPER_TARGET := aarch64-none-elf
HYPER_CFLAGS := -mgeneral-regs-only -mstrict-align -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables -Iarch/arm -Iqemu/hyper/arm
HYPER_START := 0x40080000
HYPER_COUNTED := arm/exit.c
HYPER_BOARD := qemu/hyper/arm/board.c arch/arm/pl011.c arch/arm/semihosting.c
HYPER_COPY := runtime/copy.c
HYPER_CALL := arch/arm/hypercall.c
