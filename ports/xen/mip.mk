# SPDX-License-Identifier: BSD-2-Clause
# Machine profiles: puts `bareprof mip cc` before the compiler of each object that Xen wants to instrument. flags.mk
# includes this file. On make's command line, BAREPROF_MIP can have the options of `bareprof mip cc`, for example
# "--mode calls", and BAREPROF_PROGRAM can have the path of bareprof.

ifeq ($(CONFIG_CONDITION_COVERAGE),y)
    $(error CONFIG_CONDITION_COVERAGE is set, but a machine profile has no conditions: remove it, or BAREPROF_KIND=mip)
endif
ifneq ($(findstring mip cc,$(CC)),)
    $(error CC is "$(CC)": with BAREPROF_KIND=mip, make puts "bareprof mip cc" before the compiler itself, but not for objects that must not be instrumented)
endif
ifneq ($(findstring blocks,$(BAREPROF_MIP))$(findstring sample,$(BAREPROF_MIP)),)
    $(error BAREPROF_MIP is "$(BAREPROF_MIP)", but in Xen the mode can only be coverage or calls)
endif

BAREPROF_PROGRAM ?= bareprof
ifeq ($(shell command -v $(BAREPROF_PROGRAM)),)
    $(error the program $(BAREPROF_PROGRAM) is missing, which machine profiles need: add it to PATH, or set BAREPROF_PROGRAM)
endif

# The macro marks the objects that are instrumented. The linker script gets the macro too, as an object does.
bareprof-mip-mark := -DCONFIG_BAREPROF_MIP
bareprof-kind-flags = $(strip $(bareprof-mip-mark) $(BAREPROF_EXTRA))

# Xen's linker script discards .text.exit.
bareprof-mip-cc := $(BAREPROF_PROGRAM) mip cc --discarded-section .text.exit $(if $(filter y,$(call bareprof-said,BAREPROF_ATOMIC)),--atomic) $(BAREPROF_MIP)
bareprof-compiler := $(CC)
$(non-init-objects): override CC = $(if $(filter $(bareprof-mip-mark),$(_c_flags)),$(bareprof-mip-cc) )$(bareprof-compiler)
