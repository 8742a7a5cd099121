# SPDX-License-Identifier: BSD-2-Clause
# Options and files to compile and link this board's kernel; see qemu/qemu.mk.

BOARD_TARGET := x86_64-unknown-none-elf
BOARD_GCC := gcc
BOARD_GNU_LD := ld
BOARD_CFLAGS := -mcmodel=kernel -mno-red-zone -mgeneral-regs-only -fno-pic -fno-stack-protector \
	-fno-asynchronous-unwind-tables -fcf-protection=none -Iarch/x86_64
BOARD_SOURCES := qemu/x86_64/start.S qemu/x86_64/vectors.S qemu/x86_64/board.c qemu/x86_64/interrupt.c \
	qemu/x86_64/apic.c qemu/x86_64/smp.c arch/x86_64/uart16550.c arch/x86_64/debugcon.c
BOARD_CPUS := qemu/cpus.c
BOARD_SAMPLE := qemu/x86_64/sample.c
BOARD_COPY := arch/x86_64/copy.c
BOARD_MIP_FIRST := arch/x86_64/$(RUNTIME_MIP_FIRST).c
BOARD_MIP_SAMPLE := arch/x86_64/$(RUNTIME_MIP_SAMPLE).c
BOARD_SCRIPTS := $(FRAGMENTS)/bareprof$(LEANNESS).ld qemu/x86_64/board.ld
BOARD_LDFLAGS := -z max-page-size=4096 -z noexecstack
