# SPDX-License-Identifier: BSD-2-Clause
# Included by xen/Rules.mk where it has flags of coverage for clang: what is counted, and how, by
# BAREPROF_KIND (coverage, mcdc, bytes, irpgo) and BAREPROF_ATOMIC (y) on make's command line.
# Trees that have CONFIG_CONDITION_COVERAGE add to that themselves.

include $(srctree)/common/coverage/bareprof/bareprof.mk

ifeq ($(filter coverage mcdc bytes irpgo,$(bareprof-kind)),)
    $(error BAREPROF_KIND is "$(bareprof-kind)"; in Xen it can be coverage, mcdc, bytes or irpgo)
endif

# Names and mappings of the inline functions that an object uses, not of all that its headers have.
BAREPROF_EXTRA ?= -mllvm -limited-coverage-experimental=true

# Some decisions of Xen's are more than MC/DC takes: a warning then, and no more.
ifneq ($(filter mcdc,$(bareprof-kind))$(filter y,$(CONFIG_CONDITION_COVERAGE)),)
    BAREPROF_EXTRA += $(call cc-option,$(CC),-Wno-error=pgo-coverage)
endif
