/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * findings.h - the table of the findings of `bareprof check`. Each entry has an enumerator, the text of the id, the
 * usual severity, and the meaning. docs/JSON.md has the same table.
 */
#ifndef BAREPROF_HOST_FINDINGS_H
#define BAREPROF_HOST_FINDINGS_H

enum severity {
	SEVERITY_NOTE,
	SEVERITY_WARNING, /* something is lost or wasted */
	SEVERITY_ERROR, /* there is no usable profile */
};

/* clang-format off */
#define CHECK_FINDINGS(X) \
	X(ATOMIC_HELPER_INSTRUMENTED, "atomic-helper-instrumented", ERROR, "a function that clang calls to count is instrumented") \
	X(BIAS_IGNORED, "bias-ignored", WARNING, "the image has a bias, but code was compiled without -runtime-counter-relocation") \
	X(BINARY_DIFFERS, "binary-differs", ERROR, "the file of --bin was not made from the image") \
	X(BINARY_INCOMPLETE, "binary-incomplete", ERROR, "the file of --bin lacks sections of the profile") \
	X(BOUND_WRONG, "bound-wrong", ERROR, "a symbol that bounds a section is not at its start or end") \
	X(BOUNDS_LINUX_NAMES, "bounds-linux-names", NOTE, "the symbols that bound the sections have Linux's names") \
	X(BOUNDS_NOT_LOADED, "bounds-not-loaded", ERROR, "a section is not loaded, but its bounds enclose memory") \
	X(BOUNDS_UNDEFINED, "bounds-undefined", ERROR, "the symbols that bound a section are not defined") \
	X(BUFFER_TOO_SMALL, "buffer-too-small", WARNING, "memory for a copy of the counters is too small for the image") \
	X(BUILD_ID_UNBOUNDED, "build-id-unbounded", WARNING, "the bounds of the build id do not enclose exactly its bytes") \
	X(CORRELATED, "correlated", ERROR, "the records are in the debug information only") \
	X(COUNTERS_LOST, "counters-lost", ERROR, "records have counters outside of the section of counters") \
	X(COUNTERS_NOT_FILLED, "counters-not-filled", WARNING, "counters are in memory that nothing fills") \
	X(COUNTERS_NOT_LOADED, "counters-not-loaded", ERROR, "counters or bitmaps are not loaded") \
	X(COUNTERS_READ_ONLY, "counters-read-only", WARNING, "counters or bitmaps are in a read-only segment") \
	X(COUNTERS_SHARED, "counters-shared", ERROR, "two records share counters") \
	X(COUNTERS_UNMAPPED, "counters-unmapped", ERROR, "counters or bitmaps are outside of the memory that --mapped gives") \
	X(FORBIDDEN, "forbidden", WARNING, "an instrumented function is in a section where counters must not be touched") \
	X(FORBIDDEN_UNKNOWN, "forbidden-unknown", NOTE, "the addresses of some instrumented functions are unknown") \
	X(MAPPING_LOADED, "mapping-loaded", WARNING, "the coverage mapping is loaded with the image") \
	X(MAPPING_WITHOUT_FUNCTIONS, "mapping-without-functions", WARNING, "the coverage mapping has no functions") \
	X(MIP_MAP_DAMAGED, "mip-map-damaged", ERROR, "the map of the machine profile cannot be used") \
	X(MIP_MAP_LOADED, "mip-map-loaded", WARNING, "the map of the machine profile is loaded with the image") \
	X(MIP_NO_FUNCTIONS, "mip-no-functions", ERROR, "the image should have a machine profile, but has no functions for it; a warning if it has counters") \
	X(MIP_NO_MAP, "mip-no-map", ERROR, "there are raw bytes of a machine profile, but no map") \
	X(MIP_NO_RING, "mip-no-ring", WARNING, "functions take samples, but the image has no ring for them") \
	X(MIP_NOT_SERVED, "mip-not-served", ERROR, "the runtime does not dump the block bytes or samples of the image") \
	X(MISALIGNED, "misaligned", ERROR, "a section does not start at a multiple of 8") \
	X(NAKED_INSTRUMENTED, "naked-instrumented", ERROR, "a naked function is instrumented, and its counter destroys registers") \
	X(NAMES_DAMAGED, "names-damaged", ERROR, "the section of names cannot be read") \
	X(NAMES_MISSING, "names-missing", ERROR, "records refer to names that are not in the image") \
	X(NAMES_NOT_FILLED, "names-not-filled", ERROR, "the section of names has no content in the file") \
	X(NAMES_UNUSED, "names-unused", WARNING, "the linker dropped records of functions; without a coverage mapping this is not certain, so it is a note") \
	X(NO_BUILD_ID, "no-build-id", WARNING, "the image has no build id; an error if it is lean") \
	X(NO_COUNTERS, "no-counters", ERROR, "there are records but no counters") \
	X(NO_MAPPING, "no-mapping", WARNING, "there is no coverage mapping where llvm-cov looks for it; a note for PGO") \
	X(NO_NAMES, "no-names", ERROR, "there are records but no names") \
	X(NO_RECORDS, "no-records", ERROR, "there are counters but no records") \
	X(NO_TIMESTAMPS, "no-timestamps", ERROR, "the profile is temporal, but has no timestamps") \
	X(NOT_INSTRUMENTED, "not-instrumented", ERROR, "nothing in the image was compiled with instrumentation") \
	X(NOT_STAMPED, "not-stamped", WARNING, "the space for a build id is not filled in; an error if the image is lean") \
	X(RECORDS_LOST, "records-lost", ERROR, "counters or bitmaps belong to no record") \
	X(RECORDS_NOT_FILLED, "records-not-filled", ERROR, "the section of records has no content in the file") \
	X(RECORDS_UNKNOWN, "records-unknown", ERROR, "records fit no known layout") \
	X(RECORDS_UNRELOCATED, "records-unrelocated", ERROR, "relocations of records were dropped") \
	X(RUNTIME_INSTRUMENTED, "runtime-instrumented", WARNING, "functions of the runtime are instrumented") \
	X(SECTION_AT_ZERO, "section-at-zero", ERROR, "memory of the image is at address 0, because it follows the coverage mapping; a warning if it may belong there") \
	X(SECTION_SPLIT, "section-split", ERROR, "one section of the profile became several") \
	X(SINK_INSTRUMENTED, "sink-instrumented", WARNING, "the sink of a dump, or a function that it calls, is instrumented") \
	X(STRIPPED, "stripped", NOTE, "the image has no symbols, so the bounds cannot be checked; comes before all other findings") \
	X(TWO_COMPILERS, "two-compilers", ERROR, "objects of two compilers with different record layouts") \
	X(TWO_RELEASES, "two-releases", WARNING, "objects of two releases of clang with the same record layout; a note if they may be uninstrumented") \
	X(TWO_KINDS, "two-kinds", ERROR, "objects of two kinds of profile") \
	X(VALUE_RECORDS_READ_ONLY, "value-records-read-only", ERROR, "values are recorded in records that are in a read-only segment") \
	X(VALUE_SITES, "value-sites", ERROR, "there are value sites, but nothing that records values") \
	X(VALUE_SITES_LEAN, "value-sites-lean", ERROR, "a lean image has value sites") \
	X(VALUES_READ_ONLY, "values-read-only", ERROR, "lists of values are in a read-only segment") \
	X(VERSION_DIFFERS, "version-differs", ERROR, "the declared raw version differs from that of the records") \
	X(WEAK_DUPLICATE, "weak-duplicate", ERROR, "a weak function is defined more than once, and nothing corrects the records; a note if something corrects them")

/*
 * The findings whose ids changed in version 0.2, with the old texts of the ids. For one version, the JSON has the old
 * and the new text of each of these ids, so that programs which read the JSON can be adapted.
 */
#define CHECK_FINDINGS_RENAMED(X) \
	X(BOUNDS_LINUX_NAMES, "bounds-foreign") \
	X(BOUNDS_NOT_LOADED, "bounds-of-nothing") \
	X(COUNTERS_NOT_LOADED, "counters-away") \
	X(COUNTERS_READ_ONLY, "counters-fixed") \
	X(VALUE_RECORDS_READ_ONLY, "value-records-fixed") \
	X(VALUES_READ_ONLY, "values-fixed") \
	X(WEAK_DUPLICATE, "weak-twice")
/* clang-format on */

enum finding_id {
#define ENUMERATOR(name, word, severity, meaning) FINDING_##name,
	CHECK_FINDINGS(ENUMERATOR)
#undef ENUMERATOR
	FINDINGS
};

/*
 * finding_word - returns the text of the id, as users and JSON see it, such as "no-build-id". finding_old_word -
 * returns the text that the previous version of bareprof used for this id, or NULL if the text has not changed.
 * finding_severity - returns the usual severity.
 */
const char *finding_word(enum finding_id id);
const char *finding_old_word(enum finding_id id);
enum severity finding_severity(enum finding_id id);

#endif
