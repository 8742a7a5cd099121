# SPDX-License-Identifier: BSD-2-Clause
# How this board's kernel is compiled and linked; see qemu/qemu.mk.

BOARD_TARGET := thumbv7m-none-eabi
BOARD_GCC := arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
BOARD_GNU_LD := arm-none-eabi-ld
BOARD_CFLAGS := -mfloat-abi=soft -fno-pic -fno-stack-protector -fno-unwind-tables -fno-asynchronous-unwind-tables \
	-Iarch/arm
BOARD_SOURCES := qemu/mps2-an385/start.c qemu/mps2-an385/fault_entry.S qemu/mps2-an385/fault.c qemu/mps2-an385/board.c \
	qemu/channel.c arch/arm/cmsdk_uart.c arch/arm/semihosting.c
BOARD_COPY := runtime/copy.c
BOARD_SCRIPTS := qemu/mps2-an385/memory.ld $(FRAGMENTS)/bareprof-rom.ld qemu/mps2-an385/board.ld
BOARD_LDFLAGS :=
