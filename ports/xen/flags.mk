# SPDX-License-Identifier: BSD-2-Clause
# The flags that make clang instrument Xen. xen/Rules.mk includes this file where it sets its
# own coverage flags. BAREPROF_KIND (coverage, mcdc, bytes, irpgo) and BAREPROF_ATOMIC (y) on
# make's command line choose what is counted, and how. Trees that have
# CONFIG_CONDITION_COVERAGE add its flags themselves.

include $(srctree)/common/coverage/bareprof/bareprof.mk

ifeq ($(filter coverage mcdc bytes irpgo,$(bareprof-kind)),)
    $(error BAREPROF_KIND is "$(bareprof-kind)"; in Xen it can be coverage, mcdc, bytes or irpgo)
endif

# Keeps names and mappings only of those inline functions that an object uses, not of all in its headers.
BAREPROF_EXTRA ?= -mllvm -limited-coverage-experimental=true

# Some decisions in Xen have more conditions than MC/DC supports. That must be a warning, not an error.
ifneq ($(filter mcdc,$(bareprof-kind))$(filter y,$(CONFIG_CONDITION_COVERAGE)),)
    BAREPROF_EXTRA += $(call cc-option,$(CC),-Wno-error=pgo-coverage)
endif
