# SPDX-License-Identifier: BSD-2-Clause
# Chooses the objects of U-Boot that are instrumented. scripts/Makefile.lib includes this file, but not for SPL and
# TPL, which may have no RAM for counters. On make's command line, BAREPROF_KIND chooses the kind of instrumentation.

include $(srctree)/lib/bareprof/bareprof.mk

BAREPROF_LIMITED ?= y
# U-Boot starts in flash, where it cannot count. With this option, relocate.c chooses where it counts.
bareprof-bias := -mllvm -runtime-counter-relocation
_c_flags += $(if $(bareprof-flags),$(bareprof-flags) $(bareprof-bias))

# These objects are not instrumented: the runtime, EFI programs that are not part of U-Boot's image, and a file that
# only the build reads.
BAREPROF_FILES_lib/bareprof := n
$(foreach name,asm-offsets efi_freestanding boothart helloworld dtbdump initrddump reloc_aarch64_efi efi_selftest_miniapp_exception \
	efi_selftest_miniapp_exit efi_selftest_miniapp_return,$(eval BAREPROF_FILE_$(name).o := n))
