# SPDX-License-Identifier: BSD-2-Clause
# Puts the build id of xen-syms into xen.efi. The linker gives xen.efi a build id of its own (.buildid). But reports of
# a profile are made from xen-syms, also if the profile comes from xen.efi. So the profile must contain the build id of
# xen-syms. xen/arch/x86/Makefile includes this file. The rule for note.o is in that makefile, for linkers that make no
# build ids for xen.efi.

ifneq ($(CONFIG_BAREPROF_SAMPLES)$(and $(filter y,$(CONFIG_COVERAGE)),$(CONFIG_CC_IS_CLANG)$(filter mip,$(BAREPROF_KIND))),)
ifneq ($(filter %/buildid.o,$(note_file)),)
    # The option in note_file_option applies to all files after it, so note.o must be the first.
    note_file_option := $(obj)/note.o $(note_file_option)
    note_file += $(obj)/note.o
endif
endif
