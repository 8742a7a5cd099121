# SPDX-License-Identifier: BSD-2-Clause
# Options and files to compile and link this board's kernel; see qemu/qemu.mk.

BOARD_TARGET := aarch64-none-elf
BOARD_GCC := aarch64-linux-gnu-gcc -mno-outline-atomics
BOARD_GNU_LD := aarch64-linux-gnu-ld
BOARD_CFLAGS := -mgeneral-regs-only -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables \
	-Iarch/arm -Iqemu/aarch64 -Iqemu/virt
BOARD_SOURCES := qemu/aarch64/start.S qemu/aarch64/vectors.S qemu/aarch64/cpu.c qemu/aarch64/smp.c qemu/virt/board.c qemu/channel.c \
	arch/arm/pl011.c arch/arm/gicv2.c arch/arm/semihosting.c
BOARD_CPUS := qemu/cpus.c
BOARD_SAMPLE := qemu/virt/sample.c
BOARD_COPY := runtime/copy.c
BOARD_MIP_FIRST := arch/arm/$(RUNTIME_MIP_FIRST).c
BOARD_MIP_SAMPLE := arch/arm/$(RUNTIME_MIP_SAMPLE).c
BOARD_SCRIPTS := $(FRAGMENTS)/bareprof$(LEANNESS).ld qemu/aarch64/board.ld
BOARD_LDFLAGS := -z max-page-size=4096 -z noexecstack
