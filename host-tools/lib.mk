# SPDX-License-Identifier: BSD-2-Clause
# libbareprof.a: the code of host-tools/lib/ as a single object. Only the functions that
# include/bareprof/profile.h declares are visible from outside of it.

OBJCOPY ?= objcopy
LIB_OBJECTS := $(filter $(BUILD)/host/lib/%,$(HOST_OBJECTS)) $(BUILD)/host/crc32c.o
LIB_HEADER := include/bareprof/profile.h
LIB_VERSION = $(shell sed -n 's/^.define BAREPROF_VERSION_M[AI][A-Z]*OR //p' include/bareprof/bareprof.h | paste -sd.)

$(BUILD)/libbareprof.a: $(LIB_OBJECTS) $(LIB_HEADER) host-tools/lib.mk
	$(LD) -r -o $(@:.a=.o) $(LIB_OBJECTS)
	$(CC) -fpreprocessed -dD -E -P $(LIB_HEADER) | grep -o '\<bareprof_[a-z0-9_]*(' | tr -d '(' | sort -u \
		>$(@:.a=.symbols)
	$(OBJCOPY) --keep-global-symbols=$(@:.a=.symbols) $(@:.a=.o)
	rm -f $@
	$(AR) rcs $@ $(@:.a=.o)

# The line `Libs` lists all libraries that libbareprof.a needs, so users do not need the option
# --static of pkg-config. That option matters only for packages that also have a shared library.
install-lib: $(BUILD)/libbareprof.a
	install -D -m 644 $< $(DESTDIR)$(PREFIX)/lib/libbareprof.a
	install -D -m 644 $(LIB_HEADER) $(DESTDIR)$(PREFIX)/include/bareprof/profile.h
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	printf '%s\n' 'prefix=$${pcfiledir}/../..' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
		'Name: bareprof' 'Description: LLVM instrumentation profiles, read and written' \
		'Version: $(LIB_VERSION)' 'Cflags: -I$${includedir}' \
		'Libs: -L$${libdir} -lbareprof -ldw -lelf -lz -pthread' >$(DESTDIR)$(PREFIX)/lib/pkgconfig/bareprof.pc

.PHONY: install-lib
