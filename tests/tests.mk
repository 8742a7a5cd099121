# SPDX-License-Identifier: BSD-2-Clause
# The tests that `make check` runs. Each folder of tests lists its own.

include tests/host/host.mk
include tests/runtime/runtime.mk
include tests/fuzz/fuzz.mk
include tests/warm/warm.mk

# tests_of: the tests with these names in a folder; a name is a script, or a folder with a test.sh.
tests_of = $(foreach name,$(2),$(or $(firstword $(wildcard tests/$(1)/$(name)/test.sh tests/$(1)/$(name).sh)),\
	$(error there is no test $(1)/$(name))))

# Long tests first, so that only short ones are left at the end.
TESTS := tests/style.sh tests/runner.sh tests/warm/test.sh $(call tests_of,images,matrix kinds) $(call tests_of,ports/linux,tree modules glue) \
	$(call tests_of,ports/xen,tree) $(call tests_of,images,rebuild lean boards) tests/fuzz/test.sh \
	$(call tests_of,docs,porting) $(call tests_of,ports/linux,driver host) $(TESTS_RUNTIME) $(TESTS_HOST) \
	$(call tests_of,images,linker newlib perfile perfile_kbuild pgo vtables rust matrix_excuses kinds_refused) \
	tests/capture/decoder.sh $(call tests_of,docs,kconfig dropin compdb bench demo examples picture ci)
TESTS_WIDE := $(call tests_of,ports/linux,ci kernel page arm64 mcdc pgo sanitizers) $(call tests_of,ports/xen,hypervisor page)

# Builds what the tests need. On a new machine packages are installed first, and only then the
# newest clang is known: hence make is called again.
needs = @$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) all linker

# Builds everything for run.sh, which builds nothing.
test-programs:
	+$(needs) $(TESTS_NEED)

# Run before each commit: the quick tests of each part, and one board compared with the hosted program.
TESTS_FAST = tests/style.sh tests/runner.sh tests/warm/test.sh $(call tests_of,images,matrix) $(BUILD)/tests/bin/damage $(BUILD)/tests/bin/noise \
	$(call tests_of,runtime,wire start races images weak_duplicates small) $(call tests_of,host,hostile show merge merge_text \
	merge_files order pull report run then stamp cli manual) $(call tests_of,docs,kconfig)

check-fast: deps
	$(needs) $(HOST_TEST_PROGRAMS) $(TESTS_WARM)
	@MATRIX_LLVM=$$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$$/\1/p' | sort -n | tail -n 1) MATRIX_BOARD=mps2-an385 \
		MATRIX_KIND=coverage MATRIX_OPT=-O2 sh tests/run.sh $(TESTS_FAST)

check: deps
	$(needs) $(TESTS_NEED)
	@sh tests/run.sh $(TESTS)

# Takes hours. Tests that passed before for exactly this tree do not run again, unless FRESH=1.
check-all: deps
	$(needs) $(TESTS_NEED)
	@$(if $(filter 1,$(FRESH)),rm -rf $(BUILD)/tests/passed)
	@BAREPROF_WIDE=1 BAREPROF_RESUME=1 sh tests/run.sh $(TESTS) $(TESTS_WIDE)

.PHONY: test-programs check check-fast check-all
