# SPDX-License-Identifier: BSD-2-Clause
# The host program `bareprof`: libelf (elfutils) and zlib are all it needs.

# lib/ is the library (lib.mk): profiles in and out. The other folders are the command
# line, its first user: cli/ for what all commands share, live/ for consoles and lines,
# and a folder for each group of commands.
#
# What the files of a folder may include, besides each other: what is not in this table
# is not in the compiler's search path (tests/host/layers.sh).
USES_base     :=
USES_elf      := base
USES_profile  := base
USES_raw      := base profile
USES_indexed  := base profile
USES_text     := base profile
USES_capture  := base
USES_complete := base elf profile raw capture
USES_load     := base elf profile raw capture complete indexed text
USES_api      := base elf profile raw capture complete indexed text load
LIB_FOLDERS   := $(USES_api) api
USES_cli      := $(LIB_FOLDERS)
USES_live     := $(LIB_FOLDERS) cli
USES_check    := $(LIB_FOLDERS) cli
USES_merge    := base cli
USES_pull     := $(LIB_FOLDERS) cli live
USES_report   := $(LIB_FOLDERS) cli
USES_run      := $(LIB_FOLDERS) cli live
USES_show     := $(LIB_FOLDERS) cli
FOLDERS       := $(LIB_FOLDERS) cli live check merge pull report run show

folder_path = $(if $(filter $(1),$(LIB_FOLDERS)),host-tools/lib/$(1),host-tools/$(1))
folder_includes = $(foreach folder,$(1) $(USES_$(1)),-iquote $(call folder_path,$(folder)))
HOST_FOLDERS := $(foreach folder,$(FOLDERS),$(call folder_path,$(folder)))

# For test programs and fuzz targets, which may look into every folder.
HOST_INCLUDES := $(HOST_FOLDERS:%=-iquote %)

# Position-independent and hidden, so that the library can be part of a shared object.
HOST_CFLAGS = -std=c11 -pthread -fPIC -fvisibility=hidden -D_GNU_SOURCE -Wall -Wextra -Wconversion \
	-Wmissing-prototypes -Werror -Iinclude $(CFLAGS)
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
	$(CC) $(HOST_CFLAGS) $(call folder_includes,$(notdir $(patsubst %/,%,$(dir $*)))) -MMD -MP -c -o $@ $<

# The same checksum as on the target, compiled as host code.
$(BUILD)/host/crc32c.o: runtime/crc32c.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

-include $(HOST_OBJECTS:.o=.d)

# For tests/host/layers.sh.
print-layers:
	@$(foreach folder,$(FOLDERS),echo '$(call folder_path,$(folder)) $(HOST_CFLAGS) $(call folder_includes,$(folder))';)

.PHONY: print-layers

# Sections of the manual page that the program knows replace those without text.
$(BUILD)/bareprof.1: docs/bareprof.1.in $(BUILD)/bareprof
	$(BUILD)/bareprof help --man >$@.tables
	awk 'NR == FNR { if (/^\.Sh /) section = $$0; text[section] = text[section] $$0 "\n"; next } \
		$$0 in text { printf "%s", text[$$0]; next } { print }' $@.tables $< >$@
