# SPDX-License-Identifier: BSD-2-Clause
# What `make check` runs: each folder of tests names its own.

-include tests/runtime.mk
include tests/fuzz/fuzz.mk

# The long ones first: what is left at the end is short.
TESTS := tests/style.sh tests/matrix.sh tests/kinds.sh tests/linux_tree.sh tests/linux_modules.sh tests/linux_glue.sh tests/xen_tree.sh tests/rebuild.sh \
	tests/lean.sh tests/boards.sh tests/fuzz.sh tests/porting.sh tests/linux_driver.sh tests/linux_host.sh \
	$(TESTS_RUNTIME) \
	tests/promises.sh tests/races.sh \
	tests/start.sh tests/separate.sh tests/linker.sh tests/small.sh tests/newlib.sh tests/decoder.sh \
	tests/hypercall.sh tests/kconfig.sh tests/dropin.sh tests/perfile.sh tests/perfile_kbuild.sh \
	$(TESTS_HOST) \
	tests/library.sh tests/merge_compilers.sh tests/merge_versions.sh tests/merge_sources.sh tests/merge_memprof.sh \
	tests/bench.sh tests/smp.sh tests/smp_stress.sh tests/atomic.sh \
	tests/pgo.sh tests/vtables.sh tests/rust.sh \
	tests/demo.sh tests/docs.sh tests/manual.sh tests/ci.sh \
	tests/matrix_excuses.sh tests/kinds_refused.sh
TESTS_WIDE := tests/linux_ci.sh tests/linux_kernel.sh tests/linux_page.sh tests/linux_arm64.sh tests/linux_mcdc.sh tests/linux_pgo.sh \
	tests/linux_sanitizers.sh tests/xen_hypervisor.sh tests/xen_page.sh

# On a fresh machine the packages come first, and only then is it known which
# clang is the newest: hence make again.
check: deps
	@$(MAKE) --no-print-directory check-here

check-here: all linker $(TESTS_NEED)
	@sh tests/run.sh $(TESTS)

check-all: deps
	@$(MAKE) --no-print-directory check-all-here

check-all-here: all linker $(TESTS_NEED)
	@BAREPROF_WIDE=1 sh tests/run.sh $(TESTS) $(TESTS_WIDE)

.PHONY: check check-here check-all check-all-here
