# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=work: a kernel with work to do, for profiles that a compiler uses. The self test
# "work" handles messages, most of which are of one kind, and prints how long that took.

CONFIG_SOURCES := $(sort $(wildcard qemu/work/*.c))
CONFIG_SOURCES_CFLAGS = $(IMAGE_CFLAGS)
CONFIG_CFLAGS := -DDEMO_WORK
