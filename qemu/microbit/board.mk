# SPDX-License-Identifier: BSD-2-Clause
# Options and files to compile and link this board's kernel; see qemu/qemu.mk. The
# allocator's arena and the ring for samples are smaller than on other boards, which leaves space for the stack.

BOARD_TARGET := thumbv6m-none-eabi
BOARD_GCC := arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
SAMPLE_SLOTS ?= 256
include qemu/cortex-m/cortex-m.mk
BOARD_CFLAGS += -DALLOC_CELLS=192u -DMIP_SLOTS=128 -DHISTOGRAM_RANGE=0x10000u
BOARD_SOURCES += qemu/microbit/divide.c arch/arm/nrf51_uart.c
