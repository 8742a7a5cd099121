# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=newlib: a kernel with all of newlib's string and stdlib functions in it,
# instrumented like the kernel's own files, and two self tests of them. For boards
# whose gcc has a newlib: the 32-bit Arm ones. With records in memory it is too
# large for lm3s6965evb; lean (LEAN=1) it fits, as clang 19 and newer compile it.
#
# What the functions need from elsewhere is of the newlib that comes with that gcc,
# in Debian the same version.

NEWLIB := $(BUILD)/newlib
NEWLIB_TOP := newlib-salsa/newlib
NEWLIB_LIBC := $(NEWLIB)/$(NEWLIB_TOP)/libc
NEWLIB_SUITE := $(NEWLIB)/$(NEWLIB_TOP)/testsuite
NEWLIB_ARCHIVES := $(wildcard $(shell $(BOARD_GCC) -print-file-name=libc.a))
ifeq ($(findstring newlib,$(NEWLIB_ARCHIVES))$(findstring arm-none-eabi,$(NEWLIB_ARCHIVES)),)
$(error CONFIG=newlib: $(BOARD_GCC) of BOARD=$(BOARD) has no newlib; take BOARD=lm3s6965evb or mps2-an385)
endif

# Which files there are is known when they are unpacked: then make starts anew.
include $(NEWLIB)/sources.mk
$(NEWLIB)/sources.mk: qemu/newlib/config.mk
	@echo '  unpack newlib'
	@rm -rf $(NEWLIB) && mkdir -p $(NEWLIB)
	@tar -xf /usr/src/newlib/newlib-*.tar.xz -C $(NEWLIB) $(NEWLIB_TOP)/libc $(NEWLIB_TOP)/testsuite
	@ls $(NEWLIB_LIBC)/string/*.c $(NEWLIB_LIBC)/stdlib/*.c | sed 's/^/NEWLIB_SOURCES += /' >$@

# In nano-mallocr.c is the malloc() of a libc that is built to be small; rpmatch.c wants
# regular expressions, which that newlib is built without.
NEWLIB_TESTS := newlib.string/memcpy-1 newlib.string/memmove1 newlib.string/strcmp-1 newlib.string/tstring \
	newlib.stdlib/size_max newlib.stdlib/atexit
CONFIG_SOURCES := $(filter-out %/nano-mallocr.c %/rpmatch.c,$(NEWLIB_SOURCES)) $(NEWLIB_TESTS:%=$(NEWLIB_SUITE)/%.c) \
	$(sort $(wildcard qemu/newlib/*.c))
# newlib has memcpy() and the like, too.
CONFIG_HAS := qemu/mem.c
CONFIG_CFLAGS := -DDEMO_NEWLIB
# Called or not, all functions stay, as in a kernel that has them for what it loads.
# Nothing is unwound, so that libgcc's unwinder need not be there.
CONFIG_LDFLAGS := --no-gc-sections --defsym=__aeabi_unwind_cpp_pr0=0 --defsym=__aeabi_unwind_cpp_pr1=0
CONFIG_ARCHIVES := $(NEWLIB_ARCHIVES) $(shell $(BOARD_GCC) -print-libgcc-file-name)

# Without the folders of the kernel's headers: it has a strings.h, too. Nothing prints
# a floating point number.
CONFIG_SOURCES_CFLAGS = $(OPT) -g -ffunction-sections -fdata-sections -fno-builtin -isystem /usr/include/newlib \
	-Dprintf=iprintf -Dfprintf=fiprintf -Dvfprintf=vfiprintf -Dsprintf=siprintf \
	-iquote qemu -iquote qemu/demo $(filter-out -I%,$(BOARD_CFLAGS)) -fshort-enums $(NEWLIB_MORE)
$(OUT)/$(NEWLIB)/%.o: NEWLIB_MORE = -w -I$(NEWLIB_LIBC)/ctype -I$(NEWLIB_LIBC)/locale -I$(NEWLIB_LIBC)/stdlib
$(OUT)/qemu/newlib/%.o: NEWLIB_MORE = -Wall -Wextra
# newlib compiles it once for each function.
$(OUT)/$(NEWLIB_LIBC)/stdlib/mallocr.o: NEWLIB_MORE += -DINTERNAL_NEWLIB $(addprefix -DDEFINE_,MALLOC FREE REALLOC \
	CALLOC CFREE MEMALIGN VALLOC PVALLOC MALLINFO MALLOC_STATS MALLOC_USABLE_SIZE MALLOPT)
# A lean link drops constructors of priority 0, which clang 13 to 16 take for their own.
$(OUT)/$(NEWLIB_LIBC)/stdlib/__call_atexit.o: NEWLIB_MORE += '-Dconstructor(priority)=constructor(101)'

# Each test has a main() of its own, which is all that is seen of it: some use the
# same names. Strings of 300 bytes do where stacks are small.
$(OUT)/$(NEWLIB_SUITE)/%.o: $(NEWLIB_SUITE)/%.c
	@echo '  compile $<'
	@$(IMAGE_COMPILE) -DMAX_1=300 -Dexit=newlib_exit -Dmain=newlib_$(subst -,_,$(notdir $*)) -MMD -MP -c $< -o $@
	@llvm-objcopy-$(LLVM) --keep-global-symbol=newlib_$(subst -,_,$(notdir $*)) $@
