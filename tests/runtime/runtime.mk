# SPDX-License-Identifier: BSD-2-Clause
# The runtime's tests: what make check runs, and the tables that it does not.

TESTS_RUNTIME = $(call tests_of,runtime,images compile identity wire counter_codec values drain image_set size promises races start \
	weak_duplicates small hypercall smp smp_stress atomic)

# Scripts ask for these, so that there is one place that says them.
print-cflags:
	@echo '$(RUNTIME_CFLAGS)'
print-core:
	@echo '$(RUNTIME_CORE)'
print-more:
	@echo '$(RUNTIME_MORE)'
print-state:
	@echo '$(RUNTIME_STATE)'

# What the runtime costs, as a table.
size:
	@sh tests/runtime/size/size.sh

# How fast it is, beside compiler-rt and libc, and llvm-profdata; and how little it sends.
bench: $(BUILD)/bareprof
	@sh bench/run.sh
	@sh bench/values.sh
	@sh bench/merge.sh
	@sh bench/capture.sh

.PHONY: print-cflags print-core print-more print-state size bench
