# SPDX-License-Identifier: BSD-2-Clause
# The Makefile at the top of U-Boot's tree includes this file after its own options for the linker and objcopy.

ifdef CONFIG_BAREPROF
# Each dump names its build, so that the host program finds the file u-boot of this build.
LDFLAGS_u-boot += --build-id=sha1
# The sections of the profile are part of u-boot.bin too.
OBJCOPYFLAGS += $(addprefix -j ,__llvm_prf_cnts __llvm_prf_bits __llvm_prf_data __llvm_prf_vtab __llvm_prf_names \
	__llvm_prf_vns .bareprof_lean .note.gnu.build-id .bareprof_bias)
endif
