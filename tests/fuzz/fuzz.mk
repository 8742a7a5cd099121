# SPDX-License-Identifier: BSD-2-Clause
# The fuzz targets, one for each kind of input. They link the objects of the host program that tests/host/host.mk
# compiles with the sanitizers and with the fuzzer's counters, so that the fuzzer sees which branches an input takes.

FUZZ_TARGETS := raw_read indexed_read text_read profile_read order elf capture rewrite mip probes sampleprof samples
FUZZ_TARGETS += kdump packets core page_walk coverage doctor
FUZZ_DIR := $(BUILD)/fuzz
FUZZ_OBJECTS := $(addprefix $(SANITIZED_DIR)/,\
	$(patsubst %.c,%.o,$(filter host-tools/lib/% host-tools/check/% host-tools/rewrite/% host-tools/cli/capstone_library.c host-tools/cli/exit.c,$(SANITIZED_SOURCES))) \
	runtime/crc32c.o tests/host/programs/make.o) $(addprefix $(FUZZ_DIR)/,fuzz.o blocks.o lines.o elf_change.o)

fuzz: $(FUZZ_TARGETS:%=$(FUZZ_DIR)/%)

$(FUZZ_TARGETS:%=$(FUZZ_DIR)/%): $(FUZZ_DIR)/%: $(FUZZ_DIR)/%.o $(FUZZ_OBJECTS)
	$(SANITIZED_CC) $(SANITIZED_CFLAGS) -fsanitize=fuzzer -fuse-ld=lld -o $@ $^ $(HOST_LIBS)

$(FUZZ_DIR)/kdump: $(addprefix $(SANITIZED_DIR)/host-tools/,cli/child.o outside/flat_dump.o outside/kdump_layout.o \
	outside/kdump_pages.o outside/note.o)

# These targets need most of the host program.
$(FUZZ_DIR)/coverage $(FUZZ_DIR)/doctor: $(SANITIZED_DIR)/host.a

$(FUZZ_DIR)/packets: $(addprefix $(SANITIZED_DIR)/host-tools/,cli/clock.o $(addprefix outside/,channel.o gdb_packet.o \
	memory.o memory_gdb.o memory_qmp.o page_walk.o))

$(FUZZ_DIR)/core: $(addprefix $(SANITIZED_DIR)/host-tools/,cli/child.o $(addprefix outside/,core_index.o memory.o \
	memory_core.o note.o page_registers.o page_walk.o place_check.o place_choose.o place_find.o place_search.o \
	place_tables.o placed.o))

$(FUZZ_DIR)/page_walk: $(addprefix $(SANITIZED_DIR)/host-tools/outside/,memory.o page_registers.o page_walk.o)

$(FUZZ_DIR)/%.o: tests/fuzz/%.c tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(SANITIZED_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

.PHONY: fuzz
TESTS_NEED += fuzz $(BUILD)/tests/bin/emit
-include $(if $(NEEDS_HOST),$(FUZZ_OBJECTS:.o=.d) $(FUZZ_TARGETS:%=$(FUZZ_DIR)/%.d))
