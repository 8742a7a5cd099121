# SPDX-License-Identifier: BSD-2-Clause
# Builds the hypervisor with its guest, as one file to boot:
#
#	make hypervisor ARCH=aarch64 LLVM=22 KIND=coverage OPT=-O2 OUT=build/hyper/aarch64
#	BAREPROF_BOARDS=qemu/hyper build/bareprof run --board aarch64 build/hyper/aarch64/kernel.elf
#
# ARCH is aarch64, armv7a or x86_64. The other variables have the same meaning as in qemu/qemu.mk.
# EXTRA: more options for the hypervisor's own files. TRIES: the number of random hypercalls that
# the guest makes.

ARCH ?= aarch64
KIND ?= coverage
OPT ?= -O2
EXTRA ?=
TRIES ?= 10000
BUILD ?= build
OUT ?= $(BUILD)/hyper/$(ARCH)

.DEFAULT_GOAL := hypervisor

include qemu/kinds.mk
include runtime/runtime.mk
include qemu/hyper/$(ARCH)/hyper.mk

# The parts of the demo kernel that the hypervisor runs. They need only a console.
WORK := format strings ring alloc console test_strings test_format test_ring test_alloc
COUNTED := $(addprefix qemu/hyper/,main.c memory.c tables.c calls.c $(HYPER_COUNTED)) $(WORK:%=qemu/demo/%.c)
PLAIN := $(addprefix qemu/hyper/,profile.c keep.c sink.c program.S $(ARCH)/entry.S) \
	qemu/mem.c qemu/report.c qemu/constructors.c $(HYPER_BOARD)
RUNTIME := $(RUNTIME_CORE:%=runtime/%.c) $(patsubst %,runtime/%.c,capture_blocks capture counter_codec capture_counters capture_profraw capture_send crc32c encode_text \
	snapshot strerror hypercall) $(HYPER_COPY)
# Any test guest of a hypervisor can link the client and the hostile guest. This guest links both.
GUEST := $(addprefix qemu/hyper/,guest.c guest_client.c sink.c $(ARCH)/guest.S) \
	$(RUNTIME_CLIENT:%=runtime/%.c) $(RUNTIME_HOSTILE:%=runtime/%.c) runtime/encode_text.c runtime/encode_frame.c $(HYPER_CALL) \
	$(HYPER_COPY) $(addprefix qemu/demo/,format.c strings.c console.c) qemu/mem.c $(HYPER_BOARD)

# The address and size of the guest's memory. The same numbers are in hyper.h.
GUEST_BASE := 0x60000000
GUEST_BYTES := 0x100000

CC := clang-$(LLVM) --target=$(HYPER_TARGET)
LD := ld.lld-$(LLVM)
CFLAGS := $(OPT) -g -std=gnu11 -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra -Iinclude -Iqemu -Iqemu/demo \
	-Iqemu/hyper -Iqemu/hyper/$(ARCH) $(HYPER_CFLAGS)
LDFLAGS := --gc-sections -z max-page-size=4096 -z noexecstack

objects = $(patsubst %,$(OUT)/$(1)/%.o,$(basename $(2)))
OF_COUNTED := $(call objects,hyper,$(COUNTED))
OF_RUNTIME := $(call objects,hyper,$(RUNTIME))
OF_HYPER := $(OF_COUNTED) $(call objects,hyper,$(PLAIN)) $(OF_RUNTIME)
OF_GUEST := $(call objects,guest,$(GUEST))

hypervisor: $(OUT)/kernel.elf

$(OUT)/kernel.elf: $(OF_HYPER) qemu/hyper/hyper.ld
	@echo '  link $@'
	@$(LD) $(LDFLAGS) --build-id=sha1 --defsym=START=$(HYPER_START) --defsym=GUEST_BYTES=$(GUEST_BYTES) \
		-T $(BUILD)/linker/bareprof.ld -T qemu/hyper/hyper.ld $(OF_HYPER) -o $@

$(OUT)/guest.elf: $(OF_GUEST) qemu/hyper/guest.ld
	@$(LD) $(LDFLAGS) --defsym=START=$(GUEST_BASE) -T qemu/hyper/guest.ld $(OF_GUEST) -o $@

$(OUT)/guest.bin: $(OUT)/guest.elf
	@llvm-objcopy-$(LLVM) -O binary $< $@

$(OUT)/hyper/qemu/hyper/program.o: $(OUT)/guest.bin
$(OF_HYPER) $(OF_GUEST): $(OUT)/options
$(OF_COUNTED): FLAGS := $(INSTRUMENT_$(KIND)) $(EXTRA)
$(OF_RUNTIME): FLAGS := $(RUNTIME_CFLAGS)
$(OF_GUEST): FLAGS := -DTRIES=$(TRIES)
COMPILE = $(CC) $(CFLAGS) $(FLAGS) -DGUEST_PROGRAM='"$(OUT)/guest.bin"' -MMD -MP -c $< -o $@

$(OUT)/options: FORCE
	@mkdir -p $(sort $(dir $(OF_HYPER) $(OF_GUEST)))
	@echo '$(CC) $(CFLAGS) $(INSTRUMENT_$(KIND)) $(EXTRA) $(TRIES)' | cmp -s - $@ || \
		echo '$(CC) $(CFLAGS) $(INSTRUMENT_$(KIND)) $(EXTRA) $(TRIES)' >$@

define compile
$(OUT)/$(1)/%.o: %.c
	@echo '  compile $$<'
	@$$(COMPILE)
$(OUT)/$(1)/%.o: %.S
	@echo '  compile $$<'
	@$$(COMPILE)
endef
$(eval $(call compile,hyper))
$(eval $(call compile,guest))

-include $(wildcard $(OF_HYPER:.o=.d) $(OF_GUEST:.o=.d))

.DELETE_ON_ERROR:
.PHONY: hypervisor FORCE
