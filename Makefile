# SPDX-License-Identifier: BSD-2-Clause
# Plain GNU make. `make help` says what there is.

BUILD := build

# The compiler for images: the newest clang that is installed, or LLVM=N.
LLVM ?= $(lastword $(sort $(patsubst /usr/bin/clang-%,%,$(wildcard /usr/bin/clang-1[0-9] /usr/bin/clang-[2-9][0-9]))))
# The compiler for the host program.
CC = gcc
CFLAGS ?= -O2 -g

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

all: $(BUILD)/bareprof

include runtime/runtime.mk
include linker/linker.mk
include host-tools/host.mk
include qemu/qemu.mk
include tests/tests.mk

# Debian packages that are missing get installed; see .ci/deps for the list.
deps:
	@sh .ci/deps

clean:
	rm -rf $(BUILD)

.PHONY: all deps clean
