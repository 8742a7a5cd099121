# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=compress: a kernel that compresses and expands a text with the zstd and xz of Linux 6.1, as a load for samples
# and profiles. The code comes from Debian's package linux-source-6.1. The self test "compress" runs it. The microbit
# and lm3s6965evb have too little memory.
#
# COMPRESS_LOAD  1: zstd and xz; 0: only xz, which is enough for boards with 4 MiB, and quick to compile

COMPRESS_LOAD ?= 1
COMPRESS := $(BUILD)/sources/body-z
COMPRESS_MADE := $(shell sh tests/mip/body/sources.sh z $(COMPRESS) >&2 || echo failed)
ifneq ($(COMPRESS_MADE),)
$(error CONFIG=compress: the sources of zstd and xz could not be unpacked)
endif
COMPRESS_FLAGS := -D__KERNEL__ -isystem tests/mip/body -isystem $(COMPRESS)/include/shim

CONFIG_SOURCES := $(addprefix $(COMPRESS)/,$(shell grep -E '$(if $(filter 1,$(COMPRESS_LOAD)),/zstd/|/xxhash\.c|)/xz/' $(COMPRESS)/files))
CONFIG_CFLAGS := -DDEMO_COMPRESS -DCOMPRESS_LOAD=$(COMPRESS_LOAD) -DCOMPRESS_FOLDER=$(COMPRESS) $(COMPRESS_FLAGS)
CONFIG_SOURCES_CFLAGS = $(OPT) -g -std=gnu11 -ffreestanding -ffunction-sections -fdata-sections -w $(COMPRESS_FLAGS) -I$(COMPRESS)/lib/zstd \
	-I$(COMPRESS)/lib/zstd/common $(BOARD_CFLAGS)

# The harness is not instrumented, so that it is the same in all builds.
MORE_PLAIN += qemu/compress/compress.c qemu/compress/text.S
