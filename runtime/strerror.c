/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * strerror.c - returns a sentence for each error.
 */
#include <bareprof/bareprof.h>

const char *bareprof_strerror(intptr_t error)
{
	/* This is a switch, because under -fpic a table of pointers would have to be relocated. */
	switch (error) {
	case BAREPROF_OK:
		return "no error";
	case BAREPROF_E_NO_SPACE:
		return "the buffer is too small";
	case BAREPROF_E_ARGUMENT:
		return "there is no such block";
	case BAREPROF_E_SINK:
		return "the channel did not take the data";
	case BAREPROF_E_NO_COUNTERS:
		return "no counters: nothing is instrumented, or the link lost the sections";
	case BAREPROF_E_NO_RECORDS:
		return "records or names are not in memory, so the target cannot write a .profraw";
	case BAREPROF_E_VALUE_SITES:
		return "the records have value sites: call bareprof_values_hold() first";
	case BAREPROF_E_ALIGN:
		return "the records do not start at a multiple of 8: see the linker script";
	case BAREPROF_E_RECORD:
		return "a record fits no known layout, or its counters are outside their section";
	case BAREPROF_E_MIXED:
		return "records of two layouts: compile everything with one clang";
	case BAREPROF_E_OVERLAP:
		return "two records overlap, or a counter or bitmap has no record: bareprof check finds the cause";
	case BAREPROF_E_AMBIGUOUS:
		return "the records fit two layouts: define BAREPROF_RAW_VERSION";
	case BAREPROF_E_VERSION:
		return "the objects' version symbol contradicts their records";
	case BAREPROF_E_BUILD_ID:
		return "the note is not a build id";
	case BAREPROF_E_TIMESTAMPS:
		return "the temporal profile has no timestamps: leave out -pgo-function-entry-coverage";
	case BAREPROF_E_READ_ONLY:
		return "records are in ROM and have to be written to: link with bareprof-rom-values.ld";
	case BAREPROF_E_STALE:
		return "counters were reset, values released, or the set changed, since the dump was opened: open it "
		       "again";
	case BAREPROF_E_BUSY:
		return "a list of values is being changed: try again";
	default:
		return "unknown error";
	}
}
