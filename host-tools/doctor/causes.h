/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * causes.h - the table of the causes that `bareprof doctor` names: why a report is empty or refused. Each entry has an
 * enumerator, the text of the id, the meaning, and the sentences of LLVM's tools that the cause leads to. docs/DOCTOR.md
 * has the same table. The order is the order of the answer: the causes that explain the others come first.
 */
#ifndef BAREPROF_HOST_CAUSES_H
#define BAREPROF_HOST_CAUSES_H

/* The sentences of LLVM's tools, as bits. said.c has their words. */
enum sentence {
	SAID_EMPTY = 1 << 0, /* "empty raw profile file" */
	SAID_ENCODING = 1 << 1, /* "unrecognized instrumentation profile encoding format" */
	SAID_HEADER = 1 << 2, /* "invalid instrumentation profile data (file header is corrupt)" */
	SAID_TRUNCATED = 1 << 3, /* "truncated profile data" */
	SAID_MALFORMED = 1 << 4, /* "malformed instrumentation profile data" */
	SAID_VERSION =
		1 << 5, /* "raw profile version mismatch", "unsupported instrumentation profile format version" */
	SAID_NAME = 1 << 6, /* "function name is empty", "symbol name is empty" */
	SAID_UNCOMPRESS = 1 << 7, /* "failed to uncompress data (zlib)" */
	SAID_KINDS = 1 << 8, /* "Merge IR generated profile with Clang generated profile" */
	SAID_CORRELATE = 1 << 9, /* "debug info for correlation is required" */
	SAID_HUGE = 1 << 10, /* "excessively large counter value", "counter overflow" */
	SAID_CHANGED = 1 << 11, /* "function basic block count change detected" */
	SAID_UNPROFILED = 1 << 12, /* "no profile data available for file" */
	SAID_MISMATCH = 1 << 13, /* "mismatched data" */
	SAID_NO_COVERAGE = 1 << 14, /* "no coverage data found" */
	SAID_BAD_MAPPING = 1 << 15, /* "malformed coverage data", "truncated coverage data" */
	SAID_MAPPING_VERSION = 1 << 16, /* "unsupported coverage format version" */
	SAID_NO_OBJECT = 1 << 17, /* "The file was not recognized as a valid object file" */
	SAID_ZERO = 1 << 18, /* a report that shows 0.00% everywhere, or no file at all */
	SAID_HASH = 1 << 19, /* "function control flow change detected (hash mismatch)" */
	SAID_MAGIC = 1 << 20, /* "invalid instrumentation profile data (bad magic)" */
	SENTENCES = 21,
};

/* clang-format off */
#define SAID_DAMAGE (SAID_HEADER | SAID_TRUNCATED | SAID_MALFORMED | SAID_NAME | SAID_UNCOMPRESS)
/* Only llvm-profdata knows several formats. The other tools, and a second profile in a file, have the words of SAID_MAGIC. */
#define SAID_FORMAT (SAID_ENCODING | SAID_MAGIC)
/* What readers say about a text that is not a text profile. */
#define SAID_NO_TEXT (SAID_HEADER | SAID_TRUNCATED | SAID_MALFORMED)
#define SAID_BUILD  (SAID_MISMATCH | SAID_UNPROFILED | SAID_CHANGED | SAID_HASH | SAID_ZERO)

#define DOCTOR_CAUSES(X) \
	X(UNREADABLE, "unreadable", 0, "the file cannot be read") \
	X(EMPTY, "empty", SAID_EMPTY | SAID_FORMAT | SAID_ZERO, "the file has no bytes") \
	X(COMPRESSED, "compressed", SAID_FORMAT | SAID_NO_OBJECT, "the file is compressed") \
	X(TEXT_MODE, "text-mode", SAID_DAMAGE | SAID_FORMAT, "a transfer in text mode put a CR before each LF") \
	X(BYTES_BEFORE, "bytes-before", SAID_FORMAT | SAID_NO_TEXT, "other bytes, such as log text, precede the profile") \
	X(BYTES_AFTER, "bytes-after", SAID_MAGIC | SAID_MALFORMED | SAID_HEADER | SAID_TRUNCATED, "other bytes, such as log text, follow the profile") \
	X(CUT, "cut", SAID_DAMAGE | SAID_FORMAT, "the end of the file is missing") \
	X(VALUES_LACKING, "values-lacking", SAID_TRUNCATED | SAID_MALFORMED | SAID_HEADER, "the records have value sites, but the file has no value data") \
	X(LAYOUT_WRONG, "layout-wrong", SAID_VERSION | SAID_MALFORMED | SAID_HEADER | SAID_TRUNCATED | SAID_UNCOMPRESS | SAID_NAME, "the header has another raw version than the records") \
	X(IMAGE_FAULT, "image-fault", SAID_MALFORMED | SAID_HEADER | SAID_NAME | SAID_NO_COVERAGE | SAID_BUILD, "the program itself cannot give a sound profile: 'bareprof check' has a finding") \
	X(HEADER_DAMAGED, "header-damaged", SAID_DAMAGE | SAID_VERSION | SAID_FORMAT, "the header of the file is damaged") \
	X(DAMAGED, "damaged", SAID_DAMAGE | SAID_HUGE, "bytes of the file changed in place") \
	X(NAMES_LACKING, "names-lacking", SAID_NAME | SAID_MALFORMED, "records have names that the file lacks") \
	X(COUNTERS_NOT_SET, "counters-not-set", SAID_HUGE | SAID_MALFORMED, "the counters were in memory that nothing set to its start value") \
	X(OTHER_RELEASE, "other-release", SAID_VERSION, "the tool belongs to another release of LLVM than the profile") \
	X(KINDS_MIXED, "kinds-mixed", SAID_KINDS | SAID_CHANGED, "the profiles come from different kinds of instrumentation") \
	X(BLOCKS_MISSING, "blocks-missing", SAID_FORMAT | SAID_TRUNCATED | SAID_EMPTY | SAID_NO_TEXT, "blocks of the dump did not arrive") \
	X(NEEDS_PULL, "needs-pull", SAID_FORMAT | SAID_NO_OBJECT | SAID_NO_TEXT, "LLVM's tools cannot read this file, bareprof can") \
	X(NEEDS_MERGE, "needs-merge", SAID_MAGIC, "llvm-cov and clang read only indexed profiles") \
	X(NOT_A_PROFILE, "not-a-profile", SAID_FORMAT | SAID_NO_OBJECT | SAID_EMPTY, "the file is not a profile") \
	X(OTHER_PROGRAM, "other-program", SAID_BUILD, "the profile comes from another program") \
	X(OTHER_BUILD, "other-build", SAID_BUILD, "the profile comes from another build of the program") \
	X(BUILDS_MIXED, "builds-mixed", SAID_BUILD, "the profiles come from different builds") \
	X(NEEDS_ELF, "needs-elf", SAID_CORRELATE | SAID_EMPTY | SAID_FORMAT | SAID_ZERO, "records and names are in the ELF file only, which was not given") \
	X(LEAN, "lean", SAID_CORRELATE | SAID_EMPTY | SAID_ZERO, "records and names are in the ELF file only, and LLVM's tools do not look there") \
	X(NOT_INSTRUMENTED, "not-instrumented", SAID_NO_COVERAGE | SAID_UNPROFILED | SAID_ZERO, "the program has no counters") \
	X(MAPPING_DAMAGED, "mapping-damaged", SAID_BAD_MAPPING | SAID_MAPPING_VERSION | SAID_NO_COVERAGE, "the coverage mapping of the program is damaged") \
	X(MAPPING_NEWER, "mapping-newer", SAID_MAPPING_VERSION | SAID_BAD_MAPPING, "the coverage mapping is newer than the llvm-cov") \
	X(NO_MAPPING, "no-mapping", SAID_NO_COVERAGE | SAID_ZERO, "the program has counters, but no coverage mapping") \
	X(HASHES_OTHER, "hashes-other", SAID_UNPROFILED | SAID_MISMATCH | SAID_HASH, "the index version makes clang expect other hashes") \
	X(FUNCTIONS_LACKING, "functions-lacking", SAID_ZERO | SAID_UNPROFILED, "the profile lacks functions of the program, which a report shows as not run") \
	X(NOTHING_RAN, "nothing-ran", SAID_ZERO | SAID_UNPROFILED, "all counts are 0") \
	X(COUNTS_TORN, "counts-torn", SAID_HUGE, "counts are impossible, because they were read while code counted") \
	X(NO_DUMP, "no-dump", SAID_FORMAT | SAID_EMPTY | SAID_NO_TEXT, "the log has no dump") \
	X(UNEXPLAINED, "unexplained", 0, "nothing in the files explains the sentence")
/* clang-format on */

enum cause_id {
#define ENUMERATOR(name, word, sentences, meaning) CAUSE_##name,
	DOCTOR_CAUSES(ENUMERATOR)
#undef ENUMERATOR
	CAUSES
};

/*
 * cause_word - returns the text of the id, such as "other-build".
 * cause_meaning - returns the meaning.
 * cause_sentences - returns the sentences to which the cause leads, as bits of enum sentence.
 */
const char *cause_word(enum cause_id id);
const char *cause_meaning(enum cause_id id);
unsigned int cause_sentences(enum cause_id id);

#endif
