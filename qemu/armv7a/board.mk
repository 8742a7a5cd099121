# SPDX-License-Identifier: BSD-2-Clause
# How this board's kernel is compiled and linked; see qemu/qemu.mk. C is in ARM
# state, or in the other one with ARM_STATE=thumb.

ARM_STATE ?= arm

BOARD_TARGET := armv7a-none-eabi
BOARD_GCC := arm-none-eabi-gcc
BOARD_GNU_LD := arm-none-eabi-ld
# Memory is strictly ordered as long as addresses are not translated: nothing unaligned.
BOARD_CFLAGS := -mcpu=cortex-a15 -m$(ARM_STATE) -mfloat-abi=soft -mno-unaligned-access -fno-pic -fno-stack-protector \
	-fno-unwind-tables -fno-asynchronous-unwind-tables -Iarch/arm -Iqemu/armv7a -Iqemu/virt
BOARD_SOURCES := qemu/armv7a/start.S qemu/armv7a/vectors.S qemu/armv7a/cpu.c qemu/virt/board.c qemu/channel.c \
	arch/arm/pl011.c arch/arm/gicv2.c arch/arm/semihosting.c
BOARD_COPY := runtime/copy.c
BOARD_SCRIPTS := $(FRAGMENTS)/bareprof$(LEANNESS).ld qemu/armv7a/board.ld
BOARD_LDFLAGS := -z max-page-size=4096 -z noexecstack
