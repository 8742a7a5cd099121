# SPDX-License-Identifier: BSD-2-Clause
#
# module.mk - instruments kernel modules that are built outside of the tree, for coverage, PGO or machine profiles.
# Put this line at the end of a module's makefile (or Kbuild file):
#
#	include /path/to/module.mk
#
# Clang then compiles the modules of this makefile with instrumentation. For machine profiles alone, the compiler of the
# kernel compiles them, which may be gcc. If bareprof.ko is loaded before them, each module gets the directory
# /sys/kernel/debug/bareprof/NAME. The kernel itself may have been compiled by gcc. Set these variables before the
# include or on the command line:
#
# BAREPROF           n: build as if this file were not included
# BAREPROF_MODULES   the modules to instrument, with the names in obj-m, such as foo.o; the default
#                    is all modules of obj-m
# BAREPROF_KIND      coverage (default), mcdc, bytes, irpgo, values, entries; or mip, for a machine profile; or one of
#                    the other kinds and mip, for both
# BAREPROF_MIP       options of `bareprof mip cc`, such as --mode calls
# BAREPROF_PROGRAM   the program bareprof, for machine profiles; the default is bareprof
# BAREPROF_ATOMIC    y: counts are exact even if several CPUs run the same code at the same time
#
# To select objects, you can also use the variables of bareprof.mk, and Kbuild's variables for gcov
# (GCOV_PROFILE_x.o := n, GCOV_PROFILE := n).
#
# CC=clang-19 or LLVM=-19 on the command line selects the clang. The default is the clang that
# compiled the kernel, or if gcc compiled the kernel, the newest clang.

bareprof-dir := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))

# y if the modules have machine profiles, and y if they have clang's counters.
bareprof-machine := $(if $(filter mip,$(BAREPROF_KIND)),y)
bareprof-counters := $(if $(filter-out mip,$(or $(strip $(BAREPROF_KIND)),coverage)),y)

# bareprof-words contains additional arguments for the kernel's make. If gcc compiled the kernel, the kernel's
# configuration has settings for gcc. These arguments replace the settings that must be different for clang. One example
# is the list of functions that can be traced. gcc can write this list (FTRACE_MCOUNT_USE_CC), but clang cannot. So the
# arguments select recordmcount, which also writes the list. They do not select objtool, because
# objtool would leave instructions in the code, and a kernel compiled by gcc warns about these
# instructions.
bareprof-headers = $(firstword $(wildcard $(foreach dir,$(if $(KBUILD_EXTMOD),.) $(KDIR) $(KERNELDIR) $(KERNEL_DIR) \
	$(KERNEL_SRC) $(KSRC) /lib/modules/$(shell uname -r)/build,$(dir)/include/config/auto.conf)))
bareprof-was = $(shell grep -s '^CONFIG_$(1)=y' $(bareprof-headers) /dev/null)
bareprof-asked = $(if $(filter command environment,$(origin CC)),$(CC),$(if $(LLVM),$(filter %/,$(LLVM))clang$(filter -%,$(LLVM))))
bareprof-newest = $(notdir $(lastword clang $(sort $(wildcard /usr/bin/clang-[1-9][0-9]))))
bareprof-kernels = clang$(patsubst /usr/bin/clang%,%,$(wildcard /usr/bin/clang-$(shell \
	sed -n 's/^CONFIG_CLANG_VERSION=\(.*\)....$$/\1/p' $(bareprof-headers) /dev/null)))
bareprof-cc = $(or $(bareprof-asked),$(if $(call bareprof-was,CC_IS_CLANG),$(bareprof-kernels),$(bareprof-newest)))
bareprof-space := $() $()
bareprof-number = $(shell echo __clang_major__ __clang_minor__ __clang_patchlevel__ | $(bareprof-cc) -E -P -x c - \
	2>/dev/null | awk '$$1 + 0 { print $$1 * 10000 + $$2 * 100 + $$3 }')
# For machine profiles alone, clang compiles only if it is asked for, or if it compiled the kernel.
bareprof-words = $(if $(or $(bareprof-counters),$(bareprof-asked),$(call bareprof-was,CC_IS_CLANG)),$(if \
	$(bareprof-number),$(bareprof-clang-words)))
bareprof-clang-words = $(strip $(if $(call bareprof-was,CC_IS_CLANG),\
	$(if $(bareprof-asked),,LLVM=$(or $(patsubst clang%,%,$(bareprof-cc)),1)),\
	CC=$(subst $(bareprof-space),\$(bareprof-space),$(bareprof-cc)) CONFIG_CC_IS_CLANG=y CONFIG_CC_IS_GCC= CONFIG_GCC_VERSION=0 \
	CONFIG_CLANG_VERSION=$(bareprof-number) CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough \
	$(if $(call bareprof-was,FTRACE_MCOUNT_USE_CC),CONFIG_FTRACE_MCOUNT_USE_CC= CONFIG_FTRACE_MCOUNT_USE_RECORDMCOUNT=y)))

ifeq ($(KERNELRELEASE)$(KBUILD_EXTMOD),)

# This branch is for the make that a developer calls. In this branch, the makefile only
# calls the kernel's make.
BAREPROF ?= y
ifeq ($(BAREPROF)$(filter %clean help,$(MAKECMDGOALS)),y)
ifeq ($(bareprof-counters)$(bareprof-number),y)
$(error bareprof: $(bareprof-cc) is not clang, but instrumented modules need clang: install clang, name it with CC=clang-19, or build without bareprof (BAREPROF=n))
endif
MAKEOVERRIDES += $(bareprof-words)
endif

else ifeq ($(CONFIG_BAREPROF),y)

# In this branch bareprof is a part of the kernel, and the kernel's own makefiles do the work.
GCOV_PROFILE ?= y

else

# In this branch the kernel's make reads this makefile again (a pass of Kbuild).
BAREPROF ?= y
ifeq ($(BAREPROF),y)

include $(bareprof-dir)/bareprof.mk

# bareprof.mk needs to know only the kind of clang's counters.
override BAREPROF_KIND := $(filter-out mip,$(BAREPROF_KIND))
ifneq ($(findstring blocks,$(BAREPROF_MIP))$(findstring sample,$(BAREPROF_MIP)),)
$(error BAREPROF_MIP is "$(BAREPROF_MIP)", but in Linux the mode can only be coverage or calls)
endif
BAREPROF_PROGRAM ?= bareprof
bareprof-compiler := $(CC)
bareprof-machine-cc := $(BAREPROF_PROGRAM) mip cc $(BAREPROF_MIP)

KBUILD_EXTRA_SYMBOLS += $(bareprof-dir)/Module.symvers

BAREPROF_MODULES ?= $(filter %.o,$(obj-m))
bareprof-lost := $(filter-out $(obj-m),$(BAREPROF_MODULES))
ifneq ($(bareprof-lost),)
$(error BAREPROF_MODULES contains $(bareprof-lost), which is not in obj-m: correct one of them)
endif

# $(call bareprof-parts,foo): the objects of module foo, or nothing if foo is built only from foo.c.
bareprof-parts = $(strip $($(1)-objs) $($(1)-y) $($(1)-m))
bareprof-modules := $(sort $(BAREPROF_MODULES:.o=))
bareprof-single := $(foreach module,$(bareprof-modules),$(if $(call bareprof-parts,$(module)),,$(module)))
bareprof-objects := $(sort $(foreach module,$(bareprof-modules),$(or $(call bareprof-parts,$(module)),$(module).o)))

# Kbuild reads this file in several passes. Only the pass that compiles defines cc-option. The other passes do not need
# the following lines, because they link or clean.
ifneq ($(value cc-option),)

ifeq ($(bareprof-counters),$(if $(CONFIG_CC_IS_CLANG),n,y))
CC := $(strip $(CC))
$(error bareprof: the kernel's makefiles are set up for gcc (CC is $(CC)), but instrumented modules need \
	clang. Also include this file in the makefile that calls the kernel's makefiles, or add to the command line: $(bareprof-words))
endif

# Without this option, each object has a name and a mapping for every inline function of each
# header.
ifneq ($(filter coverage mcdc bytes,$(bareprof-kind)),)
ifeq ($(origin BAREPROF_EXTRA),undefined)
BAREPROF_EXTRA := $(call cc-option,-mllvm -limited-coverage-experimental=true)
endif
endif

bareprof-linked := -T $(bareprof-dir)/module.lds $(call ld-option,--force-group-allocation)

endif

ifeq ($(bareprof-counters),y)
$(foreach object,$(bareprof-objects),$(eval CFLAGS_$(object) += $(call bareprof-object,$(object:.o=))))
endif
# A source of the same name as its module is compiled to another object, see below.
ifeq ($(bareprof-machine),y)
$(foreach object,$(bareprof-objects),$(if $(filter y,$(call bareprof-choice,$(object:.o=))),$(eval \
	$(obj)/$(object:.o=)$(if $(filter $(object:.o=),$(bareprof-single)),-instrumented).o: \
	override CC := $(bareprof-machine-cc) $(bareprof-compiler))))
endif
$(foreach module,$(bareprof-modules),$(eval LDFLAGS_$(module).o += $(bareprof-linked)))

# bareprof adds an object to each module. If a module has a single source file, this second object
# is possible only if the first object has another name than the module. So the source is compiled
# to NAME-instrumented.o, with all settings that apply to NAME.o.
$(foreach module,$(bareprof-single),$(eval $(module)-y := $(module)-instrumented.o))
$(foreach module,$(bareprof-modules),$(eval $(module)-y += $(module)-bareprof.o))

bareprof-units := $(bareprof-modules:%=$(obj)/%-bareprof.o)
$(bareprof-units): $(obj)/%.o: $(bareprof-dir)/unit.c $(bareprof-dir)/Module.symvers FORCE
	$(call if_changed_rule,cc_o_c)

define bareprof-renamed
$(obj)/$(1)-instrumented.o: basetarget = $(notdir $(1))
$(obj)/$(1)-instrumented.o: target-stem = $(1)
$(obj)/$(1)-instrumented.o: $(obj)/%.o: $(src)/$(1).c FORCE
	$$(call if_changed_rule,cc_o_c)
endef
$(foreach module,$(bareprof-single),$(eval $(call bareprof-renamed,$(module))))

$(bareprof-dir)/Module.symvers:
	@echo 'bareprof: $@ is missing: run make -C $(bareprof-dir) first' >&2; false

endif
endif
