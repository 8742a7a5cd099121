# SPDX-License-Identifier: BSD-2-Clause
# Builds bareprof in place of Xen's own code for coverage, whose files stay in the tree. xen/common/coverage/Makefile
# includes this file. With gcc, Xen's own code stays, except for machine profiles (BAREPROF_KIND=mip). With
# CONFIG_BAREPROF_SAMPLES, xen/common/Makefile adds the folder bareprof/, so this file must not add it again.

ifneq ($(CONFIG_CC_IS_CLANG)$(filter mip,$(BAREPROF_KIND)),)
    obj-y := $(filter-out llvm.o gcov%.o gcc%.o,$(obj-y)) $(if $(CONFIG_BAREPROF_SAMPLES),,bareprof/)
    # coverage.c then has the operation read_at.
    CFLAGS-y += -DBAREPROF_READ_AT
endif
