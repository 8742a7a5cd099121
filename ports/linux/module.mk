# SPDX-License-Identifier: BSD-2-Clause
#
# module.mk - coverage or a PGO profile of kernel modules that are built outside of the
# tree: at the end of a module's makefile (or Kbuild file)
#
#	include /path/to/module.mk
#
# and its modules are compiled by clang, counting; with bareprof.ko loaded before them they
# have /sys/kernel/debug/bareprof/NAME. The headers may be those of a kernel that gcc
# compiled. Variables, to be set before the include or on the command line:
#
# BAREPROF           n: all is as if this file were not included
# BAREPROF_MODULES   the modules of obj-m that are measured (default: all), as in obj-m: foo.o
# BAREPROF_KIND      coverage (default), mcdc, bytes, irpgo, values, entries
# BAREPROF_ATOMIC    y: counts are exact when several CPUs count
#
# and what else bareprof.mk has to say which objects count, or Kbuild for gcov
# (GCOV_PROFILE_x.o := n, GCOV_PROFILE := n).
#
# Which clang: CC=clang-19 or LLVM=-19 on the command line; without, that of the kernel, or
# where gcc compiled it the newest.

bareprof-dir := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))

# What the kernel's make is told besides. The configuration of a kernel that gcc compiled
# says that it did; these words of it would be others with clang. Where gcc lists what can be
# traced, clang does not. (objtool would as well, but leaves instructions there that a kernel
# of gcc's does not expect, and warns of.)
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
bareprof-words = $(strip $(if $(call bareprof-was,CC_IS_CLANG),\
	$(if $(bareprof-asked),,LLVM=$(or $(patsubst clang%,%,$(bareprof-cc)),1)),\
	CC=$(subst $(bareprof-space),\$(bareprof-space),$(bareprof-cc)) CONFIG_CC_IS_CLANG=y CONFIG_CC_IS_GCC= CONFIG_GCC_VERSION=0 \
	CONFIG_CLANG_VERSION=$(bareprof-number) CONFIG_CC_IMPLICIT_FALLTHROUGH=-Wimplicit-fallthrough \
	$(if $(call bareprof-was,FTRACE_MCOUNT_USE_CC),CONFIG_FTRACE_MCOUNT_USE_CC= CONFIG_FTRACE_MCOUNT_USE_RECORDMCOUNT=y)))

ifeq ($(KERNELRELEASE)$(KBUILD_EXTMOD),)

# The make that a developer calls, and that calls the kernel's.
BAREPROF ?= y
ifeq ($(BAREPROF)$(filter %clean help,$(MAKECMDGOALS)),y)
ifeq ($(bareprof-number),)
$(error bareprof: $(bareprof-cc) is no clang, by which modules that count are compiled; say CC=clang-19, or BAREPROF=n)
endif
MAKEOVERRIDES += $(bareprof-words)
endif

else ifeq ($(CONFIG_BAREPROF),y)

# bareprof is in the kernel, whose tree does the rest.
GCOV_PROFILE ?= y

else

# A pass of Kbuild.
BAREPROF ?= y
ifeq ($(BAREPROF),y)

include $(bareprof-dir)/bareprof.mk

KBUILD_EXTRA_SYMBOLS += $(bareprof-dir)/Module.symvers

BAREPROF_MODULES ?= $(filter %.o,$(obj-m))
bareprof-lost := $(filter-out $(obj-m),$(BAREPROF_MODULES))
ifneq ($(bareprof-lost),)
$(error BAREPROF_MODULES has $(bareprof-lost), and obj-m does not)
endif

# $(call bareprof-parts,foo): the objects of foo.o, if it has others than one of its own name.
bareprof-parts = $(strip $($(1)-objs) $($(1)-y) $($(1)-m))
bareprof-modules := $(sort $(BAREPROF_MODULES:.o=))
bareprof-single := $(foreach module,$(bareprof-modules),$(if $(call bareprof-parts,$(module)),,$(module)))
bareprof-objects := $(sort $(foreach module,$(bareprof-modules),$(or $(call bareprof-parts,$(module)),$(module).o)))

# This pass compiles; there are others, to link or to clean.
ifneq ($(value cc-option),)

ifneq ($(CONFIG_CC_IS_CLANG),y)
CC := $(strip $(CC))
$(error bareprof: the kernel's makefiles take $(CC) to be gcc, and modules that count are compiled by clang. Let the \
	makefile that calls them include this one as well, or add to the command line: $(bareprof-words))
endif

# Without it, each file has a name and a record for every inline function of each header.
ifneq ($(filter coverage mcdc bytes,$(bareprof-kind)),)
ifeq ($(origin BAREPROF_EXTRA),undefined)
BAREPROF_EXTRA := $(call cc-option,-mllvm -limited-coverage-experimental=true)
endif
endif

bareprof-linked := -T $(bareprof-dir)/module.lds $(call ld-option,--force-group-allocation)

endif

$(foreach object,$(bareprof-objects),$(eval CFLAGS_$(object) += $(call bareprof-object,$(object:.o=))))
$(foreach module,$(bareprof-modules),$(eval LDFLAGS_$(module).o += $(bareprof-linked)))

# Each module has an object of ours. One of a single source can have it only if that is
# compiled to an object of another name, for which all that is said of the first one holds.
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
	@echo 'bareprof: $@ is missing; first make -C $(bareprof-dir)' >&2; false

endif
endif
