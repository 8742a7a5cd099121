# SPDX-License-Identifier: BSD-2-Clause
# The fuzz targets, one for each kind of input. The newest clang builds them. It also builds the libraries of the host
# program a second time, so that the fuzzer sees which branches an input takes.

FUZZ_TARGETS := raw_read indexed_read text_read profile_read order elf capture rewrite mip sampleprof samples
FUZZ_DIR := $(BUILD)/fuzz
FUZZ_CFLAGS := -std=c11 -pthread -D_GNU_SOURCE -Wall -Wextra -Wno-pass-failed -Werror -Iinclude $(HOST_INCLUDES) \
	-iquote tests/host/programs -iquote tests/fuzz -g -O1 -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_SOURCES := $(filter-out %/cmd_check.c %/cmd_stamp.c %/explain.c,\
	$(wildcard host-tools/lib/*/*.c host-tools/check/*.c host-tools/rewrite/*.c))
FUZZ_OBJECTS := $(FUZZ_SOURCES:host-tools/%.c=$(FUZZ_DIR)/host/%.o) \
	$(addprefix $(FUZZ_DIR)/,crc32c.o make.o fuzz.o blocks.o lines.o)

fuzz: $(FUZZ_TARGETS:%=$(FUZZ_DIR)/%)

$(FUZZ_TARGETS:%=$(FUZZ_DIR)/%): $(FUZZ_DIR)/%: $(FUZZ_DIR)/%.o $(FUZZ_OBJECTS)
	clang-$(LLVM) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^ $(HOST_LIBS)

$(FUZZ_DIR)/host/%.o: host-tools/%.c tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang-$(LLVM) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(FUZZ_DIR)/%.o: tests/fuzz/%.c tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang-$(LLVM) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

$(FUZZ_DIR)/make.o: tests/host/programs/make.c tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang-$(LLVM) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

$(FUZZ_DIR)/crc32c.o: runtime/crc32c.c tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	clang-$(LLVM) $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

.PHONY: fuzz
TESTS_NEED += fuzz $(BUILD)/tests/bin/emit
-include $(FUZZ_OBJECTS:.o=.d) $(FUZZ_TARGETS:%=$(FUZZ_DIR)/%.d)
