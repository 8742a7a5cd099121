# SPDX-License-Identifier: BSD-2-Clause
# Options to compile the hypervisor for Armv7-A in Hyp mode; see qemu/hyper/hyper.mk.

HYPER_TARGET := armv7a-none-eabi
HYPER_CFLAGS := -mcpu=cortex-a15 -marm -mfloat-abi=soft -mno-unaligned-access -fno-pic -fno-stack-protector \
	-fno-unwind-tables -fno-asynchronous-unwind-tables -Iarch/arm -Iqemu/hyper/arm
HYPER_START := 0x40080000
HYPER_COUNTED := arm/exit.c
HYPER_BOARD := qemu/hyper/arm/board.c arch/arm/pl011.c arch/arm/semihosting.c
HYPER_COPY := runtime/copy.c
HYPER_CALL := arch/arm/hypercall.c
