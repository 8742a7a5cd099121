# SPDX-License-Identifier: BSD-2-Clause
# The runtime's tests in `make check`, and tables that `make check` does not print.

TESTS_RUNTIME = $(call tests_of,runtime,images compile identity wire counter_codec values drain snapshot image_set samples sample_smp size promises races start keep \
	weak_duplicates small hypercall smp atomic mip)

# Scripts get these lists from make, so that each list is written only once.
print-cflags:
	@echo '$(RUNTIME_CFLAGS)'
print-core:
	@echo '$(RUNTIME_CORE)'
print-more:
	@echo '$(RUNTIME_MORE)'
print-state:
	@echo '$(RUNTIME_STATE)'
print-mip-alone:
	@echo '$(RUNTIME_MIP_ALONE)'
print-mip:
	@echo '$(RUNTIME_MIP)'
print-samples:
	@echo '$(RUNTIME_SAMPLES)'

# Prints a table of the runtime's size.
size:
	@sh tests/runtime/size/size.sh

# Prints seven kinds of tables. They compare the speed of the runtime with compiler-rt and libc, compare the speed of
# `bareprof merge` with llvm-profdata, show the sizes of captures, show the costs of machine profiles, compare the
# speed of `bareprof probes show` with llvm-profgen, compare `bareprof report` with llvm-cov, and compare the speed of
# `bareprof pull --from gdb:` with gdb. If a limit is missed, the other tables are still made.
bench: $(BUILD)/bareprof linker
	@status=0; for name in run values merge capture mip probes report outside; do \
		sh bench/$$name.sh || status=1; done; exit $$status

.PHONY: print-cflags print-core print-more print-state print-mip print-mip-alone print-samples size bench
