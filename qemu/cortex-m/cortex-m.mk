# SPDX-License-Identifier: BSD-2-Clause
# The options and files that all boards with a Cortex-M share. The board.mk of such a board sets
# BOARD_TARGET and BOARD_GCC, includes this file and adds the board's drivers. See qemu/qemu.mk.

BOARD_GNU_LD := arm-none-eabi-ld
BOARD_CFLAGS := -mfloat-abi=soft -fno-pic -fno-stack-protector -fno-unwind-tables -fno-asynchronous-unwind-tables \
	-Iarch/arm -Iqemu/cortex-m -Iqemu/$(BOARD) $(if $(RECORDS_WRITTEN),-DRECORDS_COPIED)
BOARD_SOURCES := $(patsubst %,qemu/cortex-m/%,start.c fault_entry.S fault.c cortex_m.c) qemu/$(BOARD)/board.c \
	qemu/channel.c arch/arm/semihosting.c
BOARD_SAMPLE := qemu/cortex-m/sample.c
BOARD_COPY := runtime/copy.c
BOARD_ATOMIC := arch/arm/$(RUNTIME_ATOMIC).c
BOARD_MIP_FIRST := arch/arm/$(RUNTIME_MIP_FIRST).c
BOARD_MIP_SAMPLE := arch/arm/$(RUNTIME_MIP_SAMPLE).c
BOARD_SCRIPTS := qemu/$(BOARD)/memory.ld $(FRAGMENTS)/bareprof-rom$(if $(RECORDS_WRITTEN),-values,$(LEANNESS)).ld qemu/cortex-m/board.ld
BOARD_LDFLAGS :=
