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
		return "no records or no names in memory: a .profraw cannot be made here";
	case BAREPROF_E_VALUE_SITES:
		return "records have value sites: hold their lists first";
	case BAREPROF_E_ALIGN:
		return "the records do not start at a multiple of 8: see the linker script";
	case BAREPROF_E_RECORD:
		return "a record fits no known layout, or its counters are outside their section";
	case BAREPROF_E_MIXED:
		return "records of two layouts: compile everything with one clang";
	case BAREPROF_E_OVERLAP:
		return "the records overlap, or leave counters or bitmaps over: the link lost some";
	case BAREPROF_E_AMBIGUOUS:
		return "the records fit two layouts: define BAREPROF_RAW_VERSION";
	case BAREPROF_E_VERSION:
		return "the objects' version symbol contradicts their records";
	case BAREPROF_E_BUILD_ID:
		return "the note is not a build id";
	case BAREPROF_E_TIMESTAMPS:
		return "temporal but without timestamps: leave out -pgo-function-entry-coverage";
	case BAREPROF_E_READ_ONLY:
		return "records are in ROM and have to be written to: link with bareprof-rom-values.ld";
	case BAREPROF_E_STALE:
		return "the counters were reset since the dump was opened, or its values released, or its set has "
		       "changed";
	case BAREPROF_E_BUSY:
		return "a list of values is being changed: try again";
	default:
		return "unknown error";
	}
}
