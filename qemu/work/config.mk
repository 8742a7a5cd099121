# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=work: a kernel with something to do, for profiles that a compiler uses: the
# self test "work" handles messages, most of them of one kind, and says how long it took.

CONFIG_SOURCES := $(sort $(wildcard qemu/work/*.c))
CONFIG_SOURCES_CFLAGS = $(IMAGE_CFLAGS)
CONFIG_CFLAGS := -DDEMO_WORK
