# SPDX-License-Identifier: BSD-2-Clause
# The runtime's tests: those of make check, and the tables that it does not print.

TESTS_RUNTIME = $(call tests_of,runtime,images compile identity wire counter_codec values drain snapshot image_set size promises races start \
	weak_duplicates small hypercall smp smp_stress atomic)

# Scripts get these lists from this file, so that each list is written once.
print-cflags:
	@echo '$(RUNTIME_CFLAGS)'
print-core:
	@echo '$(RUNTIME_CORE)'
print-more:
	@echo '$(RUNTIME_MORE)'
print-state:
	@echo '$(RUNTIME_STATE)'

# A table of what the runtime costs.
size:
	@sh tests/runtime/size/size.sh

# Tables of the speed of the runtime and of merge, compared with compiler-rt, libc and llvm-profdata,
# and of the sizes of captures.
bench: $(BUILD)/bareprof
	@sh bench/run.sh
	@sh bench/values.sh
	@sh bench/merge.sh
	@sh bench/capture.sh

.PHONY: print-cflags print-core print-more print-state size bench
