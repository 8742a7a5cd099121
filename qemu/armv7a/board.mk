# SPDX-License-Identifier: BSD-2-Clause
# Options and files to compile and link this board's kernel; see qemu/qemu.mk. C code is
# compiled for ARM state, or for Thumb state with ARM_STATE=thumb.

ARM_STATE ?= arm

BOARD_TARGET := armv7a-none-eabi
BOARD_GCC := arm-none-eabi-gcc
BOARD_GNU_LD := arm-none-eabi-ld
# Without address translation, memory is strictly ordered, so unaligned accesses fault.
BOARD_CFLAGS := -mcpu=cortex-a15 -m$(ARM_STATE) -mfloat-abi=soft -mno-unaligned-access -fno-pic -fno-stack-protector \
	-fno-unwind-tables -fno-asynchronous-unwind-tables -Iarch/arm -Iqemu/armv7a -Iqemu/virt
BOARD_SOURCES := qemu/armv7a/start.S qemu/armv7a/vectors.S qemu/armv7a/cpu.c qemu/virt/board.c qemu/channel.c \
	arch/arm/pl011.c arch/arm/gicv2.c arch/arm/semihosting.c
BOARD_SAMPLE := qemu/virt/sample.c
BOARD_COPY := runtime/copy.c
BOARD_MIP_FIRST := arch/arm/$(RUNTIME_MIP_FIRST).c
BOARD_MIP_SAMPLE := arch/arm/$(RUNTIME_MIP_SAMPLE).c
BOARD_SCRIPTS := $(FRAGMENTS)/bareprof$(LEANNESS).ld qemu/armv7a/board.ld
BOARD_LDFLAGS := -z max-page-size=4096 -z noexecstack
