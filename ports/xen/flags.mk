# SPDX-License-Identifier: BSD-2-Clause
# The flags that instrument Xen. xen/Rules.mk includes this file at the location where Xen's own coverage flags are set,
# and adds the flags in $(bareprof-kind-flags) to the objects that Xen wants to instrument. On make's command line,
# BAREPROF_KIND (coverage, mcdc, bytes, irpgo, mip) chooses the kind of instrumentation, and BAREPROF_ATOMIC (y) chooses
# atomic counting. Trees that have CONFIG_CONDITION_COVERAGE add the flags of this option themselves.

include $(srctree)/common/coverage/bareprof/bareprof.mk

bareprof-kinds := $(strip mip $(if $(CONFIG_CC_IS_CLANG),coverage mcdc bytes irpgo))
ifeq ($(filter $(bareprof-kinds),$(if $(BAREPROF_KIND)$(CONFIG_CC_IS_CLANG),$(bareprof-kind),mip)),)
    $(error BAREPROF_KIND is "$(bareprof-kind)"; in a Xen that $(if $(CONFIG_CC_IS_CLANG),clang,gcc) compiles it can be: $(bareprof-kinds))
endif

ifeq ($(bareprof-kind),mip)
    include $(srctree)/common/coverage/bareprof/mip.mk
else ifneq ($(CONFIG_CC_IS_CLANG),y)
    # Xen's own flags for gcc stay.
    bareprof-kind-flags :=
endif

# clang keeps names and mappings only of the inline functions that an object uses, and not of all
# inline functions in its headers.
BAREPROF_LIMITED ?= y

# Some decisions in Xen have more conditions than MC/DC supports. The warning about this must not be an error.
# BAREPROF_EXTRA cannot contain this option, because a value on make's command line would remove it.
ifneq ($(filter mcdc,$(bareprof-kind))$(filter y,$(CONFIG_CONDITION_COVERAGE)),)
    # Clang 19 does not know the warning. Its message about -Wno-error=pgo-coverage does not repeat the "no-", so
    # cc-option would accept this option.
    bareprof-$(bareprof-kind) += $(if $(call cc-option,$(CC),-Wpgo-coverage),-Wno-error=pgo-coverage)
endif
