# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=work: a kernel that does some work, for profiles with which a compiler optimizes. The self
# test "work" handles messages, most of which have the same kind. It prints how long it took to
# handle the messages. WORK_MESSAGES is their number.

CONFIG_SOURCES := $(sort $(wildcard qemu/work/*.c))
CONFIG_SOURCES_CFLAGS = $(IMAGE_CFLAGS)
CONFIG_CFLAGS := -DDEMO_WORK $(WORK_MESSAGES:%=-DMESSAGES=%u)
