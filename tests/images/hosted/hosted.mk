# SPDX-License-Identifier: BSD-2-Clause
# Builds the demo kernel as a Linux program: make -f tests/images/hosted/hosted.mk OUT=DIR LLVM=N KIND=coverage
# OPT=-O2. MORE_SOURCES=, MORE_PLAIN=, EXTRA= and USE= work as in qemu/qemu.mk. Paths are relative to the top of the tree, as in
# the images. This way, reports of the program and of an image can be compared.

CC := clang-$(LLVM)
COMPILER_CACHE ?=
DEMO := $(filter-out $(addprefix qemu/demo/,cov.c cov_none.c idle.c mip.c sample.c send.c share.c) $(MORE_PLAIN),$(sort $(wildcard qemu/demo/*.c))) $(MORE_SOURCES)
PLAIN := qemu/demo/idle.c qemu/demo/share.c tests/images/hosted/board.c tests/images/hosted/cov.c $(MORE_PLAIN)

include qemu/kinds.mk

CFLAGS := -std=gnu11 -g $(OPT) -Wall -Wextra -Werror -Iinclude -Iqemu -Iqemu/demo
OF_DEMO := $(DEMO:%=$(OUT)/%.o)
OBJECTS := $(OF_DEMO) $(PLAIN:%=$(OUT)/%.o)

$(shell mkdir -p $(sort $(dir $(OBJECTS))))

$(OUT)/twin: $(OBJECTS)
	$(CC) -g -pthread $(filter -f%,$(INSTRUMENT_$(KIND))) -o $@ $^

# The kernel's own files are compiled without a C library, as they are for an image.
$(OUT)/qemu/demo/%.o $(MORE_SOURCES:%=$(OUT)/%.o): FREE := -ffreestanding
$(OF_DEMO): FLAGS := $(USE:%=-fprofile-use=%) $(INSTRUMENT_$(KIND)) $(EXTRA)
$(OUT)/%.c.o: %.c
	$(COMPILER_CACHE) $(CC) $(CFLAGS) $(FREE) $(FLAGS) -MMD -MP -c -o $@ $<

$(OUT)/%.cc.o: %.cc
	$(COMPILER_CACHE) $(CC) $(call kinds_cxx,$(CFLAGS)) $(FREE) $(FLAGS) -MMD -MP -c -o $@ $<

-include $(wildcard $(OBJECTS:.o=.d))

.DELETE_ON_ERROR:
