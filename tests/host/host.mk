# SPDX-License-Identifier: BSD-2-Clause
# Tests of the host program. The tests in C link the objects of bareprof, which are compiled a second time, with the
# sanitizers.

SANITIZE := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
HOST_TEST_DIR := $(BUILD)/tests/obj
HOST_TEST_CFLAGS = $(HOST_CFLAGS) $(HOST_INCLUDES) $(SANITIZE) -iquote tests/host/programs

HOST_TEST_SHARED := make wire listen round judge wires
HOST_TEST_NAMES := damage hostile emit feed rounds noise elf readers library faults flips stream rewriter sampleprof
HOST_TEST_OBJECTS := $(HOST_SOURCES:%.c=$(HOST_TEST_DIR)/%.o) $(HOST_TEST_DIR)/runtime/crc32c.o \
	$(HOST_TEST_SHARED:%=$(HOST_TEST_DIR)/tests/host/programs/%.o)
HOST_TEST_PROGRAMS := $(HOST_TEST_NAMES:%=$(BUILD)/tests/bin/%)

$(HOST_TEST_PROGRAMS): $(BUILD)/tests/bin/%: $(HOST_TEST_DIR)/tests/host/programs/%.o $(HOST_TEST_DIR)/host.a
	@mkdir -p $(@D)
	$(CC) $(HOST_TEST_CFLAGS) -o $@ $^ $(HOST_LIBS)

# The objects of bareprof are linked as an archive. This way, each test program gets only the objects that it needs.
# No test program needs the code of bareprof's commands.
$(HOST_TEST_DIR)/host.a: $(HOST_TEST_OBJECTS)
	rm -f $@
	$(AR) rcs $@ $^

$(HOST_TEST_DIR)/%.o: %.c host-tools/host.mk tests/host/host.mk
	@mkdir -p $(@D)
	$(CC) $(HOST_TEST_CFLAGS) -MMD -MP -c -o $@ $<

.SECONDARY: $(HOST_TEST_OBJECTS) $(HOST_TEST_NAMES:%=$(HOST_TEST_DIR)/tests/host/programs/%.o)
-include $(HOST_TEST_OBJECTS:.o=.d) $(HOST_TEST_NAMES:%=$(HOST_TEST_DIR)/tests/host/programs/%.d)

TESTS_HOST := $(addprefix $(BUILD)/tests/bin/,damage noise) $(addprefix tests/host/,$(addsuffix .sh,\
	layers outputs hostile capture dumps values show show_compilers merge merge_vectors merge_text merge_files mapped order convert pull report \
	report_pairs report_counts report_incomplete report_formats report_diff run run_until run_binary each live then line debugfs doubles doubles_image check check_cures stamp cli \
	library merge_compilers merge_versions merge_sources merge_memprof inputs losses options source_names run_arm manual mip))
TESTS_HOST += tests/host/sampleprof.sh
TESTS_HOST += tests/host/check_mistakes.sh tests/host/check_at_zero.sh tests/host/check_mip.sh
TESTS_HOST += tests/host/sample.sh
TESTS_HOST += tests/host/mip_cc.sh tests/host/mip_driver.sh tests/host/mip_blocks.sh tests/host/mip_as.sh tests/host/mip_entry.sh tests/host/mip_rewrite.sh tests/host/mip_report.sh tests/host/mip_order.sh tests/host/mip_counters.sh tests/host/mip_graph.sh
TESTS_NEED += $(HOST_TEST_PROGRAMS)
