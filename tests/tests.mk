# SPDX-License-Identifier: BSD-2-Clause
# The tests that `make check` runs. The folders host, runtime, fuzz and warm have makefiles of their own.

include tests/host/host.mk
include tests/runtime/runtime.mk
include tests/fuzz/fuzz.mk
include tests/warm/warm.mk

# $(call tests_of,FOLDER,NAMES) returns the scripts of the tests NAMES in the folder tests/FOLDER. The script of a test
# is NAME/test.sh or NAME.sh.
tests_of = $(foreach name,$(2),$(or $(firstword $(wildcard tests/$(1)/$(name)/test.sh tests/$(1)/$(name).sh)),\
	$(error there is no test $(1)/$(name))))

# In a new clone no times are known, so long tests come first. This leaves only short tests for the end. After each test
# that mostly waits come two tests that need a CPU: if several tests wait at the same time, the CPUs are idle.
TESTS_LONG := $(call tests_of,host,line) $(call tests_of,images,matrix kinds) \
	$(call tests_of,coverage,samples) $(call tests_of,host,each) $(call tests_of,ports/linux,host) tests/fuzz/test.sh \
	$(call tests_of,outside,hostile) $(call tests_of,images,boards lean) \
	$(call tests_of,host,live) $(call tests_of,images,perfile pgo) \
	$(call tests_of,host,then) $(call tests_of,docs,dropin) $(call tests_of,ports/xen,tree) \
	$(call tests_of,host,run_until) $(call tests_of,ports/linux,driver) $(call tests_of,runtime,atomic) \
	$(call tests_of,host,run) $(call tests_of,host,convert capture) \
	$(call tests_of,host,losses) $(call tests_of,host,check check_mistakes) $(call tests_of,runtime,compile)
TESTS := tests/style.sh tests/runner.sh tests/warm/test.sh $(TESTS_LONG) $(filter-out $(TESTS_LONG),\
	$(TESTS_RUNTIME) $(TESTS_HOST) \
	$(call tests_of,images,rebuild linker mip mip_linker vtables rust kinds_refused) \
	$(call tests_of,outside,boards profiles kdump places openocd modules hang) \
	tests/panic/test.sh tests/capture/decoder.sh tests/mip/oracle.sh tests/mip/graph.sh $(call tests_of,sample,truth) tests/probes/profgen.sh tests/probes/truth.sh tests/probes/malformed.sh $(call tests_of,coverage,malformed mcdc std_sort) $(call tests_of,docs,porting porting_hypervisor kconfig semihosting compdb bench demo examples picture porting_rtos porting_firmware porting_outside))
TESTS_WIDE := $(call tests_of,host,mip_builds) $(call tests_of,images,newlib perfile_kbuild matrix_excuses) $(call tests_of,runtime,smp_stress) \
	$(call tests_of,docs,ci porting_newlib) $(call tests_of,ports/linux,modules mip_modules mip_kernel glue order tree tree_build ci kernel page arm64 mcdc pgo sanitizers sample outside) $(call tests_of,ports/xen,hypervisor builds arm64 page mip samples outside) \
	$(call tests_of,ports/uboot,commands page) tests/mip/oracle_options.sh tests/mip/kernel.sh tests/mip/pages.sh $(call tests_of,sample,loop) $(call tests_of,coverage,whole trees)

# Builds what the tests need, with a second call of make. On a new machine, `deps` installs packages first. Only after
# that, a new make can find the newest clang. The objects go to the ccache of the tests, because the test of docs/CI.md
# builds the same program again. With the ccache, that build is short.
needs = @$(CACHE) $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) \
	$(if $(CACHE),CC="ccache $(CC)") all linker
CACHE = $(if $(shell command -v ccache),CCACHE_DIR="$(CURDIR)/$(BUILD)/tests/ccache" CCACHE_DEPEND=1 \
	CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale)

# Builds everything that run.sh needs, because run.sh builds nothing. In `make -j2 all test-programs`, `all` must come
# first. Otherwise the second make would build the same files at the same time.
test-programs: $(filter all linker,$(MAKECMDGOALS))
	+$(needs) $(TESTS_NEED)

# These tests are to be run before each commit. They are the quick tests of each part, and one board that is compared
# with the hosted program.
TESTS_FAST = tests/style.sh tests/runner.sh tests/warm/test.sh $(call tests_of,images,matrix) $(BUILD)/tests/bin/damage $(BUILD)/tests/bin/noise \
	$(call tests_of,runtime,wire start races images weak_duplicates small) $(call tests_of,host,hostile show merge merge_text \
	merge_files order pull report run then stamp cli manual) $(call tests_of,docs,kconfig)

check-fast: deps
	$(needs) $(HOST_TEST_PROGRAMS) $(TESTS_WARM) test-drop-in
	@MATRIX_LLVM=$$(ls /usr/bin | sed -n 's/^clang-\([0-9]*\)$$/\1/p' | sort -n | tail -n 1) MATRIX_BOARD=mps2-an385 \
		MATRIX_KIND=coverage MATRIX_OPT=-O2 sh tests/run.sh $(TESTS_FAST)

check: deps
	$(needs) $(TESTS_NEED)
	@sh tests/run.sh $(TESTS)

# Runs all tests in all combinations, which takes hours. Tests that passed before for exactly this tree do not run
# again, unless FRESH=1 is set.
check-all: deps
	$(needs) $(TESTS_NEED)
	@$(if $(filter 1,$(FRESH)),rm -rf $(BUILD)/tests/passed)
	@BAREPROF_WIDE=1 BAREPROF_RESUME=1 sh tests/run.sh $(TESTS) $(TESTS_WIDE)

# The drop-in files of tests/lib.sh. They are always made again, because they depend on most of the target side.
TESTS_NEED += test-drop-in
test-drop-in: linker
	@$(MAKE) --no-print-directory -s drop-in DIR=$(BUILD)/tests/drop-in >/dev/null

.PHONY: test-programs test-drop-in check check-fast check-all
