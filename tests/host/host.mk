# SPDX-License-Identifier: BSD-2-Clause
# Tests of the host program. The tests in C link objects of bareprof that are compiled a second time, with the
# sanitizers. The fuzz targets (tests/fuzz/fuzz.mk) link the same objects, so the fuzzer's counters are in them, too.

SANITIZED_DIR := $(BUILD)/tests/obj
SANITIZED_CC = clang-$(LLVM)
SANITIZED_CFLAGS := -std=c11 -pthread -D_GNU_SOURCE -Wall -Wextra -Wno-pass-failed -Werror -Iinclude $(HOST_INCLUDES) \
	-iquote tests/host/programs -iquote tests/fuzz -gline-tables-only -O2 -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
# No test program and no fuzz target needs the code of these commands.
SANITIZED_SOURCES := $(filter-out host-tools/mip/% host-tools/compare/% host-tools/merge/% host-tools/probe/% host-tools/pull/% \
	host-tools/run/% host-tools/sample/% host-tools/show/% host-tools/%/explain.c \
	$(wildcard host-tools/*/cmd_*.c),$(HOST_SOURCES))

HOST_TEST_SHARED := make wire listen round judge wires
HOST_TEST_NAMES := damage hostile emit feed rounds noise elf readers library faults flips stream rewriter sampleprof flow jumps page_walk mcdc writers ranges badline
HOST_TEST_OBJECTS := $(SANITIZED_SOURCES:%.c=$(SANITIZED_DIR)/%.o) $(SANITIZED_DIR)/runtime/crc32c.o \
	$(HOST_TEST_SHARED:%=$(SANITIZED_DIR)/tests/host/programs/%.o)
HOST_TEST_PROGRAMS := $(HOST_TEST_NAMES:%=$(BUILD)/tests/bin/%)

$(HOST_TEST_PROGRAMS): $(BUILD)/tests/bin/%: $(SANITIZED_DIR)/tests/host/programs/%.o $(SANITIZED_DIR)/host.a
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(SANITIZED_CFLAGS) -fuse-ld=lld -o $@ $^ $(HOST_LIBS)

# The target in this program is the real runtime, compiled for the host.
TARGET_OBJECTS := $(addprefix $(SANITIZED_DIR)/target/,$(addsuffix .o,copy capture_blocks capture capture_counters counter_codec \
	capture_uniform capture_answer encode_text))
$(SANITIZED_DIR)/target/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(RUNTIME_CFLAGS) -O2 -g -MMD -MP -c -o $@ $<
$(BUILD)/tests/bin/badline: $(SANITIZED_DIR)/target.a
$(SANITIZED_DIR)/target.a: $(TARGET_OBJECTS) $(SANITIZED_DIR)/tests/host/programs/target.o
	rm -f $@
	$(AR) rcs $@ $^

# The objects of bareprof are linked as an archive. This way, each test program gets only the objects that it needs.
$(SANITIZED_DIR)/host.a: $(HOST_TEST_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(SANITIZED_DIR)/host-tools/%.o: host-tools/%.c host-tools/host.mk tests/host/host.mk
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(SANITIZED_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

# The fuzzer needs no counters of the code that makes inputs, or of the checksum.
$(SANITIZED_DIR)/%.o: %.c host-tools/host.mk tests/host/host.mk
	@mkdir -p $(@D)
	$(SANITIZED_CC) $(SANITIZED_CFLAGS) -Wconversion -Wmissing-prototypes -MMD -MP -c -o $@ $<

.SECONDARY: $(HOST_TEST_OBJECTS) $(HOST_TEST_NAMES:%=$(SANITIZED_DIR)/tests/host/programs/%.o)
-include $(if $(NEEDS_HOST),$(HOST_TEST_OBJECTS:.o=.d) $(HOST_TEST_NAMES:%=$(SANITIZED_DIR)/tests/host/programs/%.d))

TESTS_HOST := $(addprefix $(BUILD)/tests/bin/,damage noise) $(addprefix tests/host/,$(addsuffix .sh,\
	layers outputs hostile capture dumps values show show_compilers merge merge_vectors merge_text merge_files mapped order convert pull report \
	report_pairs report_counts torn report_incomplete report_formats report_diff report_view report_filter report_markdown run run_until run_binary each live then line ask debugfs doubles doubles_image check check_cures stamp cli \
	library merge_compilers merge_versions merge_sources merge_memprof inputs losses options source_names run_arm manual mip))
TESTS_HOST += $(BUILD)/tests/bin/flow $(BUILD)/tests/bin/page_walk $(BUILD)/tests/bin/mcdc $(BUILD)/tests/bin/writers
TESTS_HOST += tests/host/sampleprof.sh tests/host/jumps.sh
TESTS_HOST += tests/host/check_mistakes.sh tests/host/check_at_zero.sh tests/host/check_mip.sh
TESTS_HOST += tests/host/sample.sh tests/host/probes_check.sh
TESTS_HOST += tests/host/compare.sh tests/host/merge_filter.sh tests/host/covered.sh
TESTS_HOST += tests/host/watch.sh $(BUILD)/tests/bin/ranges
TESTS_HOST += tests/host/mip_cc.sh tests/host/mip_driver.sh tests/host/mip_blocks.sh tests/host/mip_as.sh tests/host/mip_entry.sh tests/host/mip_rewrite.sh tests/host/mip_report.sh tests/host/mip_order.sh tests/host/mip_counters.sh tests/host/mip_graph.sh
TESTS_NEED += $(HOST_TEST_PROGRAMS)
TESTS_HOST += tests/host/doctor/test.sh
