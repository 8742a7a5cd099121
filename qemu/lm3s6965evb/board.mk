# SPDX-License-Identifier: BSD-2-Clause
# Options and files to compile and link this board's kernel; see qemu/qemu.mk.

BOARD_TARGET := thumbv7m-none-eabi
BOARD_GCC := arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
SAMPLE_SLOTS ?= 512
include qemu/cortex-m/cortex-m.mk
BOARD_SOURCES += arch/arm/pl011.c
