# SPDX-License-Identifier: BSD-2-Clause
# The demo kernel as a Linux program: make -f tests/hosted/hosted.mk OUT=DIR
# LLVM=N KIND=coverage|irpgo|values|temporal|plain OPT=-O2, and MORE_SOURCES= and EXTRA= as in
# qemu/qemu.mk. Paths are relative to the top, as in the images, so that reports
# of both can be compared.

CC := clang-$(LLVM)
DEMO := $(filter-out $(addprefix qemu/demo/,cov.c idle.c share.c),$(sort $(wildcard qemu/demo/*.c))) $(MORE_SOURCES)
PLAIN := qemu/demo/idle.c qemu/demo/share.c tests/hosted/board.c tests/hosted/cov.c

FLAGS_coverage := -fprofile-instr-generate -fcoverage-mapping
FLAGS_irpgo := -fprofile-generate -mllvm -disable-vp=true
FLAGS_values := -fprofile-generate
FLAGS_temporal := $(FLAGS_irpgo) -mllvm -pgo-temporal-instrumentation
FLAGS_plain :=
ifeq ($(origin FLAGS_$(KIND)),undefined)
$(error KIND=$(KIND): is not here)
endif

CFLAGS := -std=gnu11 -g $(OPT) -Wall -Wextra -Werror -Iinclude -Iqemu -Iqemu/demo
OBJECTS := $(DEMO:%.c=$(OUT)/%.o) $(PLAIN:%.c=$(OUT)/%.o)

$(OUT)/twin: $(OBJECTS)
	$(CC) -g -pthread $(filter -f%,$(FLAGS_$(KIND))) -o $@ $^

# The kernel's own files see what they see in an image: no C library.
$(OUT)/qemu/demo/%.o: FREE := -ffreestanding
$(DEMO:%.c=$(OUT)/%.o): FLAGS := $(FLAGS_$(KIND)) $(EXTRA)
$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FREE) $(FLAGS) -MMD -MP -c -o $@ $<

-include $(wildcard $(OBJECTS:.o=.d))

.DELETE_ON_ERROR:
