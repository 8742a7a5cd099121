# SPDX-License-Identifier: BSD-2-Clause
# For each kind of instrumentation: the compiler options, and the services that the runtime must provide. The
# makefiles of the images use this file. The makefile that builds the demo kernel as a program for the host also uses
# it.
#
# coverage      source coverage
# mcdc          source coverage with MC/DC
# bytes         source coverage with single-byte counters
# irpgo         IR PGO
# values        IR PGO with values
# vtables       IR PGO with values and vtables (C++)
# entries       IR PGO with one byte counter for each function
# blocks        IR PGO with one byte counter for each block
# entry-first   IR PGO that also counts function entries
# loop-entries  IR PGO that also counts loop entries
# temporal      IR PGO with the order in which functions first ran
# sampled       IR PGO that counts only from time to time, in bursts
# relocation    IR PGO that adds an offset to the address of each counter at run time
# cs            context-sensitive IR PGO of code that is compiled with a merged profile (USE) of irpgo or values
# none          no instrumentation

# A dump that is sent inside a loop contains the loop's counts so far. So counters must not stay in
# registers until the loop ends.
KINDS_VALUES := -fprofile-generate -mllvm -do-counter-promotion=false
KINDS_IR := $(KINDS_VALUES) -mllvm -disable-vp=true

INSTRUMENT_coverage := -fprofile-instr-generate -fcoverage-mapping
INSTRUMENT_mcdc := $(INSTRUMENT_coverage) -fcoverage-mcdc
INSTRUMENT_bytes := $(INSTRUMENT_coverage) -mllvm -enable-single-byte-coverage
INSTRUMENT_irpgo := $(KINDS_IR)
INSTRUMENT_values := $(KINDS_VALUES)
# These options are only for C++. In C, clang would treat any pointer to a function as a pointer
# from a vtable.
INSTRUMENT_vtables := $(INSTRUMENT_values)
INSTRUMENT_CXX_vtables := -mllvm -enable-vtable-value-profiling
INSTRUMENT_entries := $(KINDS_IR) -mllvm -pgo-function-entry-coverage
INSTRUMENT_blocks := $(KINDS_IR) -mllvm -pgo-block-coverage
INSTRUMENT_entry-first := $(KINDS_IR) -mllvm -pgo-instrument-entry
INSTRUMENT_loop-entries := $(KINDS_IR) -mllvm -pgo-instrument-loop-entries
INSTRUMENT_temporal := $(KINDS_IR) -mllvm -pgo-temporal-instrumentation
# The bursts are short, because this kernel's work is short.
INSTRUMENT_sampled := $(KINDS_IR) -mllvm -sampled-instrumentation -mllvm -sampled-instr-period=1009 \
	-mllvm -sampled-instr-burst-duration=97
INSTRUMENT_relocation := $(KINDS_IR) -mllvm -runtime-counter-relocation
INSTRUMENT_cs := -fcs-profile-generate -mllvm -do-counter-promotion=false
INSTRUMENT_none :=

ifeq ($(origin INSTRUMENT_$(KIND)),undefined)
$(error KIND=$(KIND): is not in qemu/kinds.mk)
endif

# The services that the runtime must provide for each kind. The kernel provides the memory that
# these services need.
SERVES_values := -DBAREPROF_VALUES
SERVES_vtables := $(SERVES_values)
# For code of clang 13 to 17, the runtime must write into records.
RECORDS_WRITTEN := $(if $(filter values vtables,$(KIND)),$(filter 13 14 15 16 17,$(LLVM)))
SERVES_temporal := -DBAREPROF_TEMPORAL

# $(call kinds_cxx,COMMAND): turns COMMAND, which compiles C files, into the command that compiles
# C++ files.
kinds_cxx = $(subst -std=gnu11,-std=gnu++14 -fno-exceptions -fno-rtti,$(1)) $(INSTRUMENT_CXX_$(KIND))
