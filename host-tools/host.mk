# SPDX-License-Identifier: BSD-2-Clause
# The host program `bareprof`. It needs only libdw and libelf (elfutils), zlib and capstone. It loads libkdumpfile
# only to read kernel dumps, if it is installed. It contains the demanglers of libiberty, if the compiler finds
# libiberty.a when the program is linked. Otherwise it runs c++filt.

# lib/ contains the library (lib.mk), which reads and writes profiles. The other folders contain the command line, which
# uses the library. cli/ contains the code that all commands share. live/ contains the code for consoles and serial
# lines. Each group of commands has a folder of its own.
#
# For each folder x, USES_x lists the other folders whose headers may be included in it. All
# other folders are not in the compiler's search path. tests/host/layers.sh checks this table.
USES_base     :=
USES_elf      := base
USES_probes   := base elf
USES_profile  := base
USES_raw      := base profile
USES_indexed  := base profile
USES_text     := base profile
USES_capture  := base
USES_complete := base elf profile raw capture
USES_load     := base elf profile raw capture complete indexed text
USES_machine  := base elf capture
USES_samples  := base elf profile raw capture complete
USES_sampleprof := base
USES_api      := base elf profile raw capture complete indexed text load
USES_coverage := base elf profile raw
LIB_FOLDERS   := $(USES_api) machine probes samples sampleprof coverage api
USES_cli      := $(LIB_FOLDERS)
USES_live     := $(LIB_FOLDERS) cli
USES_outside  := $(LIB_FOLDERS) cli live
USES_check    := $(LIB_FOLDERS) cli
USES_compare  := $(LIB_FOLDERS) cli
USES_doctor   := $(LIB_FOLDERS) cli check
USES_merge    := base cli
USES_infer    := $(LIB_FOLDERS) cli
USES_probe    := base elf probes sampleprof cli
USES_watch    := $(LIB_FOLDERS) cli
USES_pull     := $(LIB_FOLDERS) cli live outside watch
USES_mip      := $(LIB_FOLDERS) cli rewrite check
USES_report   := $(LIB_FOLDERS) cli
USES_rewrite  := base
USES_run      := $(LIB_FOLDERS) cli live outside
USES_sample   := $(LIB_FOLDERS) cli infer
USES_show     := $(LIB_FOLDERS) cli
FOLDERS       := $(LIB_FOLDERS) cli live outside check compare doctor infer merge mip probe pull report rewrite run sample show watch

folder_path = $(if $(filter $(1),$(LIB_FOLDERS)),host-tools/lib/$(1),host-tools/$(1))
folder_includes = $(foreach folder,$(1) $(USES_$(1)),-iquote $(call folder_path,$(folder)))
HOST_FOLDERS := $(foreach folder,$(FOLDERS),$(call folder_path,$(folder)))

# Test programs and fuzz targets may include headers of all folders.
HOST_INCLUDES := $(HOST_FOLDERS:%=-iquote %)

# The code is position-independent and its symbols are hidden, so that the library can become
# part of a shared object.
HOST_CFLAGS = -std=c11 -pthread -fPIC -fvisibility=hidden -D_GNU_SOURCE -Wall -Wextra -Wconversion \
	-Wmissing-prototypes -Werror -Iinclude $(CFLAGS)
# pkg-config runs when the first program is linked, and only once.
HOST_LIBS = $(eval HOST_LIBS := $(shell pkg-config --libs libdw libelf zlib 2>/dev/null || \
	echo -ldw -lelf -lz) $(LIBERTY) -lm)$(HOST_LIBS)
# demangle_library.c refers to libiberty only weakly, so the linker must be told to take its functions.
LIBERTY = $(addprefix -Wl$(COMMA)-u$(COMMA),$(if $(LIBERTY_ARCHIVE),$(LIBERTY_FUNCTIONS))) $(LIBERTY_ARCHIVE)
LIBERTY_ARCHIVE = $(filter /%,$(shell $(CC) -print-file-name=libiberty.a))
LIBERTY_FUNCTIONS := cplus_demangle_v3_callback rust_demangle_callback
COMMA := ,

HOST_SOURCES := $(wildcard $(HOST_FOLDERS:%=%/*.c))
HOST_OBJECTS := $(HOST_SOURCES:host-tools/%.c=$(BUILD)/host/%.o) $(BUILD)/host/crc32c.o

$(BUILD)/bareprof: $(HOST_OBJECTS)
	$(CC) $(HOST_CFLAGS) $(LDFLAGS) -o $@ $^ $(HOST_LIBS)

# Builds the same program without shared libraries, for systems that have none, such as an initramfs. `bareprof pull
# tcp:...` calls getaddrinfo(). The linker warns about this call, because glibc loads some name services as shared
# libraries. Numeric addresses, /etc/hosts and DNS work without these name services.
#
# capstone_library.c refers to capstone only weakly, so the linker must be told to take its functions.
#
# The program then contains code under other licences, which anybody who passes it on must follow: glibc (LGPL 2.1 or
# later), elfutils (LGPL 3 or later, or GPL 2 or later), zlib, capstone (BSD), and what elfutils itself needs. The
# demanglers of libiberty are under the GPL and LGPL, but may be linked into other programs without any restriction; only
# safe-ctype.c, a table that they use, is under the LGPL 2 or later without this permission.
STATIC_LIBS = $(CAPSTONE_FUNCTIONS:%=-Wl,-u,cs_%) $(LIBERTY) \
	$(shell pkg-config --static --libs libdw libelf zlib capstone) -lm
CAPSTONE_FUNCTIONS := open close option malloc free disasm_iter regs_access

static: $(BUILD)/static/bareprof
	@echo "$<: $$(($$(wc -c <$<) / 1024)) KiB, static"

$(BUILD)/static/bareprof: $(HOST_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(LDFLAGS) -static -s -o $@ $^ $(STATIC_LIBS) 2>$@.log || { cat $@.log >&2; exit 1; }

.PHONY: static

$(BUILD)/host/%.o: host-tools/%.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(call folder_includes,$(notdir $(patsubst %/,%,$(dir $*)))) -MMD -MP -c -o $@ $<

# Host and target compute the checksum with the same source file.
$(BUILD)/host/crc32c.o: runtime/crc32c.c host-tools/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -MMD -MP -c -o $@ $<

-include $(if $(NEEDS_HOST),$(HOST_OBJECTS:.o=.d))

# Prints the compiler options for each folder. Only tests/host/layers.sh uses this target.
print-layers:
	@$(foreach folder,$(FOLDERS),echo '$(call folder_path,$(folder)) $(HOST_CFLAGS) $(call folder_includes,$(folder))';)

.PHONY: print-layers

# Some sections of docs/bareprof.1.in have no text. `bareprof help --man` prints the text of
# these sections, and awk inserts it.
$(BUILD)/bareprof.1: docs/bareprof.1.in $(BUILD)/bareprof
	$(BUILD)/bareprof help --man >$@.tables
	awk 'NR == FNR { if (/^\.Sh /) section = $$0; text[section] = text[section] $$0 "\n"; next } \
		$$0 in text { printf "%s", text[$$0]; next } { print }' $@.tables $< >$@
