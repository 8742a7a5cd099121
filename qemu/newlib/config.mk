# SPDX-License-Identifier: BSD-2-Clause
# CONFIG=newlib: a kernel that contains all string and stdlib functions of newlib. These functions
# are instrumented like the kernel's own files. The kernel also contains two self tests of these
# functions. It is for the 32-bit Arm boards, whose gcc comes with a newlib. With records in memory
# this kernel is too large for lm3s6965evb. It fits if it is lean (LEAN=1) and compiled by clang 19
# or newer.
#
# The string and stdlib functions are compiled from Debian's source package of newlib. They call
# other functions of newlib, which are linked from the newlib that comes with the gcc. In Debian,
# the source package of newlib and the newlib of the gcc have the same version.

NEWLIB := $(BUILD)/newlib
NEWLIB_TOP := newlib-salsa/newlib
NEWLIB_LIBC := $(NEWLIB)/$(NEWLIB_TOP)/libc
NEWLIB_SUITE := $(NEWLIB)/$(NEWLIB_TOP)/testsuite
NEWLIB_ARCHIVES := $(wildcard $(shell $(BOARD_GCC) -print-file-name=libc.a))
ifeq ($(findstring newlib,$(NEWLIB_ARCHIVES))$(findstring arm-none-eabi,$(NEWLIB_ARCHIVES)),)
$(error CONFIG=newlib: $(BOARD_GCC) of BOARD=$(BOARD) has no newlib; use BOARD=lm3s6965evb or mps2-an385)
endif

# The names of newlib's source files are known only after the files were unpacked. Then make reads
# all makefiles again.
include $(NEWLIB)/sources.mk
$(NEWLIB)/sources.mk: qemu/newlib/config.mk
	@echo '  unpack newlib'
	@rm -rf $(NEWLIB) && mkdir -p $(NEWLIB)
	@tar -xf /usr/src/newlib/newlib-*.tar.xz -C $(NEWLIB) $(NEWLIB_TOP)/libc $(NEWLIB_TOP)/testsuite
	@ls $(NEWLIB_LIBC)/string/*.c $(NEWLIB_LIBC)/stdlib/*.c | sed 's/^/NEWLIB_SOURCES += /' >$@

# nano-mallocr.c contains another malloc(), for small builds of newlib. rpmatch.c needs regular
# expressions, which this build of newlib does not contain.
NEWLIB_TESTS := newlib.string/memcpy-1 newlib.string/memmove1 newlib.string/strcmp-1 newlib.string/tstring \
	newlib.stdlib/size_max newlib.stdlib/atexit
CONFIG_SOURCES := $(filter-out %/nano-mallocr.c %/rpmatch.c,$(NEWLIB_SOURCES)) $(NEWLIB_TESTS:%=$(NEWLIB_SUITE)/%.c) \
	$(sort $(wildcard qemu/newlib/*.c))
# newlib also defines memcpy() and similar functions, so qemu/mem.c is left out.
CONFIG_HAS := qemu/mem.c
CONFIG_CFLAGS := -DDEMO_NEWLIB
# Keeps all functions, also functions that are not called, as in a kernel that offers its
# functions to loadable code. Nothing is unwound, so libgcc's unwinder is not needed.
CONFIG_LDFLAGS := --no-gc-sections --defsym=__aeabi_unwind_cpp_pr0=0 --defsym=__aeabi_unwind_cpp_pr1=0
CONFIG_ARCHIVES := $(NEWLIB_ARCHIVES) $(shell $(BOARD_GCC) -print-libgcc-file-name)

# The folders of the kernel's headers are not searched, because they also contain a strings.h. No
# code prints floating point numbers, so iprintf() replaces printf().
CONFIG_SOURCES_CFLAGS = $(OPT) -g -ffunction-sections -fdata-sections -fno-builtin -isystem /usr/include/newlib \
	-Dprintf=iprintf -Dfprintf=fiprintf -Dvfprintf=vfiprintf -Dsprintf=siprintf \
	-iquote qemu -iquote qemu/demo $(filter-out -I%,$(BOARD_CFLAGS)) -fshort-enums $(NEWLIB_MORE)
$(OUT)/$(NEWLIB)/%.o: NEWLIB_MORE = -w -I$(NEWLIB_LIBC)/ctype -I$(NEWLIB_LIBC)/locale -I$(NEWLIB_LIBC)/stdlib
$(OUT)/qemu/newlib/%.o: NEWLIB_MORE = -Wall -Wextra
# newlib compiles this file once for each function.
$(OUT)/$(NEWLIB_LIBC)/stdlib/mallocr.o: NEWLIB_MORE += -DINTERNAL_NEWLIB $(addprefix -DDEFINE_,MALLOC FREE REALLOC \
	CALLOC CFREE MEMALIGN VALLOC PVALLOC MALLINFO MALLOC_STATS MALLOC_USABLE_SIZE MALLOPT)
# newlib gives one of its constructors priority 0. Here the constructor gets priority 101, because a
# lean link drops all constructors of priority 0. Clang 13 to 16 use priority 0 for their own
# constructors.
$(OUT)/$(NEWLIB_LIBC)/stdlib/__call_atexit.o: NEWLIB_MORE += '-Dconstructor(priority)=constructor(101)'

# Some tests define the same symbols. So in each test all symbols become local, except main(), which
# gets the name newlib_TEST. The tests use strings of at most 300 bytes, because stacks are small.
$(OUT)/$(NEWLIB_SUITE)/%.o: $(NEWLIB_SUITE)/%.c
	@echo '  compile $<'
	@$(IMAGE_COMPILE) -DMAX_1=300 -Dexit=newlib_exit -Dmain=newlib_$(subst -,_,$(notdir $*)) -MMD -MP -c $< -o $@
	@llvm-objcopy-$(LLVM) --keep-global-symbol=newlib_$(subst -,_,$(notdir $*)) $@
