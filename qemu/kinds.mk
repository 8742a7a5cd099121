# SPDX-License-Identifier: BSD-2-Clause
# Kinds of instrumentation, by name: what the compiler is told, and what the
# runtime has to serve. For the images and for their twins on a host.
#
# coverage, mcdc, bytes           source coverage; with MC/DC; with single-byte counters
# irpgo, values, vtables          IR PGO; with values; with vtables besides (C++)
# entries, blocks                 IR PGO, in bytes: was a function called, was a block run
# entry-first, loop-entries       IR PGO, where a function is counted; that loops are entered
# temporal                        IR PGO, and which function ran first
# sampled, relocation             IR PGO, counted in bursts; counters at a distance from where they are
# cs                              IR PGO once more, on top of USE: the merged profile of irpgo or values
# none

# A dump within a loop has what the loop has counted: not in registers until its end.
KINDS_VALUES := -fprofile-generate -mllvm -do-counter-promotion=false
KINDS_IR := $(KINDS_VALUES) -mllvm -disable-vp=true

INSTRUMENT_coverage := -fprofile-instr-generate -fcoverage-mapping
INSTRUMENT_mcdc := $(INSTRUMENT_coverage) -fcoverage-mcdc
INSTRUMENT_bytes := $(INSTRUMENT_coverage) -mllvm -enable-single-byte-coverage
INSTRUMENT_irpgo := $(KINDS_IR)
INSTRUMENT_values := $(KINDS_VALUES)
# In C++ only: of C it takes any pointer to a function to come out of a vtable.
INSTRUMENT_vtables := $(INSTRUMENT_values)
INSTRUMENT_CXX_vtables := -mllvm -enable-vtable-value-profiling
INSTRUMENT_entries := $(KINDS_IR) -mllvm -pgo-function-entry-coverage
INSTRUMENT_blocks := $(KINDS_IR) -mllvm -pgo-block-coverage
INSTRUMENT_entry-first := $(KINDS_IR) -mllvm -pgo-instrument-entry
INSTRUMENT_loop-entries := $(KINDS_IR) -mllvm -pgo-instrument-loop-entries
INSTRUMENT_temporal := $(KINDS_IR) -mllvm -pgo-temporal-instrumentation
# Bursts that are as long as this kernel's work is short.
INSTRUMENT_sampled := $(KINDS_IR) -mllvm -sampled-instrumentation -mllvm -sampled-instr-period=1009 \
	-mllvm -sampled-instr-burst-duration=97
INSTRUMENT_relocation := $(KINDS_IR) -mllvm -runtime-counter-relocation
INSTRUMENT_cs := -fcs-profile-generate -mllvm -do-counter-promotion=false
INSTRUMENT_none :=

ifeq ($(origin INSTRUMENT_$(KIND)),undefined)
$(error KIND=$(KIND): is not in qemu/kinds.mk)
endif

# What the runtime has to do for a kind; the kernel owns the memory for it.
SERVES_values := -DBAREPROF_VALUES
SERVES_vtables := $(SERVES_values)
# Clang 13 to 17 have it write into records.
RECORDS_WRITTEN := $(if $(filter values vtables,$(KIND)),$(filter 13 14 15 16 17,$(LLVM)))
SERVES_temporal := -DBAREPROF_TEMPORAL

# How the few files in C++ are compiled, from how those in C are: $(call kinds_cxx,COMMAND).
kinds_cxx = $(subst -std=gnu11,-std=gnu++14 -fno-exceptions -fno-rtti,$(1)) $(INSTRUMENT_CXX_$(KIND))
