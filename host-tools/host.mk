# SPDX-License-Identifier: BSD-2-Clause
# The host program `bareprof`: libelf (elfutils) and zlib are all it needs.

# lib/ is the library (lib.mk): profiles in and out, in ten folders. The others are the
# command line, its first user: a folder for each group of commands, cli/ for what all
# of them share, live/ for consoles and lines.
LIB_FOLDERS := $(addprefix host-tools/lib/,base elf profile raw indexed text capture complete load api)
HOST_FOLDERS := $(addprefix host-tools/,cli live check merge pull report run show) $(LIB_FOLDERS)
HOST_INCLUDES := $(HOST_FOLDERS:%=-iquote %)

# Position-independent and hidden, so that the library can be part of a shared object.
HOST_CFLAGS = -std=c11 -pthread -fPIC -fvisibility=hidden -D_GNU_SOURCE -Wall -Wextra -Wconversion \
	-Wmissing-prototypes -Werror -Iinclude $(HOST_INCLUDES) $(CFLAGS)
HOST_LIBS := $(shell pkg-config --libs libdw libelf zlib 2>/dev/null || echo -ldw -lelf -lz)

HOST_SOURCES := $(wildcard $(HOST_FOLDERS:%=%/*.c))
HOST_OBJECTS := $(HOST_SOURCES:host-tools/%.c=$(BUILD)/host/%.o) $(BUILD)/host/crc32c.o

$(BUILD)/bareprof: $(HOST_OBJECTS)
	$(CC) $(HOST_CFLAGS) $(LDFLAGS) -o $@ $^ $(HOST_LIBS)

# The same without shared libraries, for a target that has none: an initramfs. The
# linker's word on getaddrinfo, which pull tcp: has, is about name services that
# glibc loads; numbers, /etc/hosts and DNS need none.
STATIC_LIBS = $(shell pkg-config --static --libs libdw libelf zlib)

static: $(BUILD)/static/bareprof
	@echo "$<: $$(($$(wc -c <$<) / 1024)) KiB, static"

$(BUILD)/static/bareprof: $(HOST_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(LDFLAGS) -static -s -o $@ $^ $(STATIC_LIBS) 2>$@.log || { cat $@.log >&2; exit 1; }

.PHONY: static

$(BUILD)/host/%.o: host-tools/%.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

# The same checksum as on the target, compiled as host code.
$(BUILD)/host/crc32c.o: runtime/crc32c.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

-include $(HOST_OBJECTS:.o=.d)

# Sections of the manual page that the program knows replace those without text.
$(BUILD)/bareprof.1: docs/bareprof.1.in $(BUILD)/bareprof
	$(BUILD)/bareprof help --man >$@.tables
	awk 'NR == FNR { if (/^\.Sh /) section = $$0; text[section] = text[section] $$0 "\n"; next } \
		$$0 in text { printf "%s", text[$$0]; next } { print }' $@.tables $< >$@
