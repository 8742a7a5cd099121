# SPDX-License-Identifier: BSD-2-Clause
# Builds the demo kernel for a board in QEMU:
#
#	make image BOARD=mps2-an385 LLVM=16 KIND=irpgo OPT=-O2 OUT=build/images/x
#
# BOARD       a folder beside this file that contains a board.mk
# LLVM        release of clang and lld (also for the runtime, unless RUNTIME_CC is set)
# KIND        kind of instrumentation, from kinds.mk
# USE         compile with the counts of this indexed profile (-fprofile-use)
# UPDATE      atomic: counters are increased atomically
# MIP         coverage, calls, calls,sample=N, blocks or calls,blocks: the kernel gets a machine profile, and with
#             KIND=none nothing else (bareprof mip cc)
# SAMPLES     N: the kernel takes samples of N words, a program counter and N - 1 return addresses (cov sample);
#             histogram: it counts them in a histogram. For return addresses, the kernel needs frame pointers:
#             EXTRA=-fno-omit-frame-pointer. On the microbit there is memory for samples only with KIND=none
# SAMPLE_SLOTS  slots of the ring of each CPU, a power of two
# OPT         optimization level of everything
# EXTRA       more options for the kernel's own files
# CONFIG      newlib, work or compress: a larger kernel, see qemu/CONFIG/config.mk
# MORE_SOURCES  more files, .c or .cc, that become part of the kernel and are instrumented
# MORE_PLAIN  more files that become part of the kernel and are not instrumented
# IMAGE_BY    compiler of the kernel: clang (of the release LLVM), or gcc for the board's own gcc (with KIND=none)
# RUNTIME_CC  compiler of the runtime: clang-N, or gcc for the board's own gcc
# LINKER      lld or gnu
# DROPIN      folder of the drop-in files to use instead of include/, runtime/ and linker/
# LEAN        1: records and names stay in the ELF file (bareprof-lean.ld)
# STAMP       1: no --build-id, but space for the build id that "bareprof stamp" writes
# OUT         folder for kernel.elf and all objects
# COMPILER_CACHE  prefix of every compiler command: ccache
#
# The paths of sources are relative to the top of the tree, because in a profile these paths are a
# part of the names of static functions.

BOARD ?= x86_64
KIND ?= coverage
USE ?=
UPDATE ?=
MIP ?=
SAMPLES ?=
OPT ?= -O2
CONFIG ?=
EXTRA ?=
MORE_SOURCES ?=
MORE_PLAIN ?=
IMAGE_BY ?= clang
RUNTIME_CC ?= $(if $(filter gcc,$(IMAGE_BY)),gcc,clang-$(LLVM))
LINKER ?= lld
LEAN ?=
STAMP ?=
COMPILER_CACHE ?=
COMMA := ,
# The words of MIP. "sample=N" becomes "sample-N", because make cannot have = in the names of files.
MIP_WORDS := $(subst $(COMMA), ,$(subst =,-,$(MIP)))
OUT ?= $(BUILD)/images/$(BOARD)-$(LLVM)-$(KIND)$(if $(MIP),-mip-$(subst $(COMMA),-,$(subst =,-,$(MIP))))$(SAMPLES:%=-samples-%)$(CONFIG:%=-%)

# The folder of the linker fragments, which board.mk uses. (Even with DROPIN, the files in arch/
# include platform.h from include/.)
FRAGMENTS := $(or $(DROPIN),$(BUILD)/linker)
LEANNESS := $(if $(filter 1,$(LEAN)),-lean)

include qemu/kinds.mk

# A machine profile. A kernel that has nothing else contains no code that reads LLVM's records.
ifneq ($(filter-out coverage calls blocks sample-%,$(MIP_WORDS)),)
$(error MIP=$(MIP): MIP is coverage, calls, calls$(COMMA)sample=N, blocks or calls$(COMMA)blocks)
endif
MIP_ALONE := $(if $(MIP),$(filter none,$(KIND)))
# The mode "calls" needs one of two functions: the one for first calls, or the one for samples.
MIP_SAMPLES := $(filter sample-%,$(MIP_WORDS))
MIP_BLOCKS := $(filter blocks,$(MIP_WORDS))
MIP_CALLS := $(if $(MIP_SAMPLES),,$(filter calls,$(MIP_WORDS)))
MIP_FLAGS := $(if $(MIP),-DDEMO_MIP $(if $(MIP_ALONE),-DDEMO_MIP_ALONE) $(if $(MIP_SAMPLES),-DBAREPROF_MIP_SAMPLES_MODE) $(if $(MIP_BLOCKS),-DBAREPROF_MIP_BLOCKS_MODE))
MIP_CC := $(if $(MIP),$(BUILD)/bareprof mip cc --mode=$(MIP) $(if $(and $(filter calls,$(MIP_WORDS)),$(filter atomic,$(UPDATE))),--atomic))
# 0 stands for a histogram.
SAMPLES_FLAGS = $(if $(SAMPLES),-DBAREPROF_SAMPLES -DDEMO_SAMPLES=$(patsubst histogram,0,$(SAMPLES)) -DSAMPLE_SLOTS=$(or $(SAMPLE_SLOTS),4096)u $(if $(BOARD_CPUS),,-DSAMPLE_CPUS=1) $(if $(filter-out 1 histogram,$(SAMPLES)),-DBAREPROF_SAMPLE_STACKS))
include qemu/$(BOARD)/board.mk
CONFIG_SOURCES :=
ifneq ($(CONFIG),)
include qemu/$(CONFIG)/config.mk
endif

# These files are not instrumented, because three things must not change the profile: reading it,
# waiting, and the number of CPUs.
DEMO_PLAIN := $(if $(MIP_ALONE),cov_none,cov) idle $(if $(MIP),mip) $(if $(SAMPLES),sample) send share

SERVES = $(SERVES_$(KIND))
# In clang 13 to 16, -fprofile-update has an effect only on coverage. IR PGO needs the option
# -instrprof-atomic-counter-update-all.
UPDATE_FLAGS := $(UPDATE:%=-fprofile-update=%) $(if $(filter atomic,$(UPDATE)),-mllvm -instrprof-atomic-counter-update-all)
INSTRUMENT = $(USE:%=-fprofile-use=%) $(INSTRUMENT_$(KIND)) $(if $(filter-out none,$(KIND)),$(UPDATE_FLAGS))

IMAGE_CC := $(COMPILER_CACHE) $(if $(filter gcc,$(IMAGE_BY)),$(BOARD_GCC),clang-$(LLVM) --target=$(BOARD_TARGET))
IMAGE_CFLAGS := $(OPT) -g -std=gnu11 -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra \
	$(DROPIN:%=-I%) -Iinclude -Iqemu -Iqemu/demo $(BOARD_CFLAGS) $(CONFIG_CFLAGS) $(SERVES) $(MIP_FLAGS) $(SAMPLES_FLAGS)
# The command and options that compile the runtime, which includes no header of the compiler. They
# also compile the file copy.c in arch/, which is a part of the runtime on some targets.
IMAGE_RUNTIME_CC := $(COMPILER_CACHE) $(if $(filter gcc,$(RUNTIME_CC)),$(BOARD_GCC),$(RUNTIME_CC) --target=$(BOARD_TARGET))
IMAGE_RUNTIME_CFLAGS := $(OPT) -g -ffunction-sections -fdata-sections $(RUNTIME_CFLAGS) -DBAREPROF_NOLOAD $(if $(filter atomic,$(UPDATE)),-DBAREPROF_ATOMIC) $(if $(filter 1,$(STAMP)),-DBAREPROF_STAMP) $(SERVES) $(BOARD_CFLAGS) $(SAMPLES_FLAGS) \
	$(if $(MIP),-DBAREPROF_MIP $(if $(MIP_CALLS),-DBAREPROF_MIP_CALLS_MODE) $(if $(MIP_SAMPLES),-DBAREPROF_MIP_SAMPLES_MODE) $(if $(MIP_BLOCKS),-DBAREPROF_MIP_BLOCKS_MODE))

ifeq ($(LINKER),gnu)
IMAGE_LD := $(BOARD_GNU_LD)
else
IMAGE_LD := ld.lld-$(LLVM)
endif
IMAGE_LDFLAGS := --gc-sections --build-id=$(if $(filter 1,$(STAMP)),none,sha1) $(BOARD_LDFLAGS) $(CONFIG_LDFLAGS)

# A board that starts more than one CPU sets BOARD_CPUS.
IMAGE_PLAIN_SOURCES := $(filter-out $(CONFIG_HAS),$(BOARD_SOURCES) $(if $(SAMPLES),$(BOARD_SAMPLE)) $(or $(BOARD_CPUS),qemu/one_cpu.c) qemu/mem.c \
	qemu/report.c qemu/constructors.c $(DEMO_PLAIN:%=qemu/demo/%.c) $(MORE_PLAIN))
IMAGE_DEMO_SOURCES := $(filter-out $(IMAGE_PLAIN_SOURCES) $(addprefix qemu/demo/,cov.c cov_none.c mip.c sample.c send.c),$(sort $(wildcard qemu/demo/*.c))) $(MORE_SOURCES)
IMAGE_RUNTIME_SOURCES := $(if $(DROPIN),$(DROPIN)/bareprof.c,\
	$(if $(MIP_ALONE),$(RUNTIME_MIP_ALONE:%=runtime/%.c),$(RUNTIME_CORE:%=runtime/%.c) $(RUNTIME_MORE:%=runtime/%.c)) \
	$(if $(MIP),$(RUNTIME_MIP:%=runtime/%.c)) $(if $(MIP_CALLS),$(BOARD_MIP_FIRST)) $(if $(MIP_SAMPLES),$(BOARD_MIP_SAMPLE)) $(BOARD_COPY) $(BOARD_ATOMIC) \
	$(if $(SAMPLES),$(RUNTIME_SAMPLES:%=runtime/%.c)) \
	$(if $(SERVES),$(RUNTIME_STATE:%=runtime/%.c)) \
	$(if $(filter 1,$(STAMP)),$(RUNTIME_STAMP:%=runtime/%.c)))

IMAGE_RUNTIME_SOURCES := $(sort $(IMAGE_RUNTIME_SOURCES))
# The linker scripts of the board. If the kernel has only a machine profile, mip*.ld takes the place of bareprof*.ld.
# If it has both kinds of profiles, mip*-beside.ld comes before bareprof*.ld.
IMAGE_SCRIPTS := $(foreach script,$(BOARD_SCRIPTS),$(if $(and $(MIP),$(filter bareprof%,$(notdir $(script)))),\
	$(FRAGMENTS)/mip$(if $(findstring -rom,$(script)),-rom)$(if $(MIP_ALONE),,-beside).ld $(if $(MIP_ALONE),,$(script)),$(script)))

image_objects = $(patsubst %,$(OUT)/%.o,$(basename $(1)))
IMAGE_PLAIN := $(call image_objects,$(IMAGE_PLAIN_SOURCES))
IMAGE_DEMO := $(call image_objects,$(IMAGE_DEMO_SOURCES))
IMAGE_RUNTIME := $(call image_objects,$(IMAGE_RUNTIME_SOURCES))
IMAGE_CONFIG := $(call image_objects,$(CONFIG_SOURCES))
IMAGE_OBJECTS := $(IMAGE_PLAIN) $(IMAGE_DEMO) $(IMAGE_CONFIG) $(IMAGE_RUNTIME)

image: $(OUT)/kernel.elf

# lld 15 and 16 warn about every counter section that is NOLOAD, so the messages are shown only if the link fails.
$(OUT)/kernel.elf: $(IMAGE_OBJECTS) $(IMAGE_SCRIPTS) $(OUT)/linking
	@echo '  link $@'
	@$(IMAGE_LD) $(IMAGE_LDFLAGS) $(IMAGE_SCRIPTS:%=-T %) $(IMAGE_OBJECTS) $(CONFIG_ARCHIVES) -o $@ 2>$@.log || (cat $@.log && false)

# If a variable above changes, make rebuilds everything that depends on the variable: all objects,
# or only the linked kernel.
IMAGE_OPTIONS := $(MIP_CC) $(IMAGE_CC) $(IMAGE_CFLAGS) $(INSTRUMENT) $(EXTRA) | $(CONFIG_SOURCES_CFLAGS) | $(IMAGE_RUNTIME_CC) $(IMAGE_RUNTIME_CFLAGS)

$(OUT)/linking: IMAGE_OPTIONS = $(IMAGE_LD) $(IMAGE_LDFLAGS) $(IMAGE_SCRIPTS) $(IMAGE_OBJECTS)
$(OUT)/options $(OUT)/linking: FORCE
	@mkdir -p $(sort $(dir $@ $(IMAGE_OBJECTS)))
	@echo '$(IMAGE_OPTIONS)' | cmp -s - $@ || echo '$(IMAGE_OPTIONS)' >$@

$(IMAGE_OBJECTS): $(OUT)/options
$(IMAGE_DEMO) $(IMAGE_CONFIG): $(USE) $(if $(MIP),$(BUILD)/bareprof)
$(IMAGE_PLAIN): IMAGE_COMPILE = $(IMAGE_CC) $(IMAGE_CFLAGS)
$(IMAGE_DEMO): IMAGE_COMPILE = $(MIP_CC) $(IMAGE_CC) $(IMAGE_CFLAGS) $(INSTRUMENT) $(EXTRA)
$(IMAGE_CONFIG): IMAGE_COMPILE = $(MIP_CC) $(IMAGE_CC) $(CONFIG_SOURCES_CFLAGS) $(INSTRUMENT) $(EXTRA)
$(IMAGE_RUNTIME): IMAGE_COMPILE = $(IMAGE_RUNTIME_CC) $(IMAGE_RUNTIME_CFLAGS)

$(OUT)/%.o: %.c
	$(info $()  compile $<)
	@$(IMAGE_COMPILE) -MMD -MP -c $< -o $@

$(OUT)/%.o: %.cc
	$(info $()  compile $<)
	@$(call kinds_cxx,$(IMAGE_COMPILE)) -MMD -MP -c $< -o $@

$(OUT)/%.o: %.S
	$(info $()  compile $<)
	@$(IMAGE_COMPILE) -MMD -MP -c $< -o $@

-include $(wildcard $(IMAGE_OBJECTS:.o=.d))

.PHONY: image FORCE

# Boots the demo kernel on every board and shows its coverage.
BOARDS := $(sort $(patsubst qemu/%/board.mk,%,$(wildcard qemu/*/board.mk)))

demo: deps
	@$(MAKE) --no-print-directory all linker
	@for board in $(BOARDS); do \
		$(MAKE) --no-print-directory -s -j2 image BOARD=$$board OUT=$(BUILD)/demo/$$board \
			MIP=$$(test $$board != lm3s6965evb || echo calls) || exit; \
	done
	@BUILD=$(BUILD) sh qemu/demo.sh $(BOARDS)

# Builds a hypervisor and its guest, which pulls the hypervisor's profile. qemu/hyper/hyper.mk explains the variables.
hypervisor: linker
	@$(MAKE) --no-print-directory -f qemu/hyper/hyper.mk LLVM=$(LLVM)

.PHONY: demo hypervisor
