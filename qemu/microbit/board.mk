# SPDX-License-Identifier: BSD-2-Clause
# How this board's kernel is compiled and linked; see qemu/qemu.mk. A smaller
# arena than elsewhere leaves room for the stack.

BOARD_TARGET := thumbv6m-none-eabi
BOARD_GCC := arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
include qemu/cortex-m/cortex-m.mk
BOARD_CFLAGS += -DALLOC_CELLS=192u
BOARD_SOURCES += qemu/microbit/divide.c arch/arm/nrf51_uart.c
