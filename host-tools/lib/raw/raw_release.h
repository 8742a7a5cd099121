/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_release.h - what a raw version and its variant bits mean: to which releases of
 * LLVM, and in words.
 */
#ifndef BAREPROF_HOST_RAW_RELEASE_H
#define BAREPROF_HOST_RAW_RELEASE_H

#include "bytes.h"

/* The LLVM releases that write and read a raw version; newest 0: still does. */
struct raw_release {
	unsigned int version;
	unsigned int oldest;
	unsigned int newest;
	const char *words; /* "14 to 17" */
};

/* raw_release - the releases of @version, NULL if it is unknown. */
const struct raw_release *raw_release(uint64_t version);

/* raw_version_of_release - the raw version that LLVM release @release writes and reads; 0: not known. */
unsigned int raw_version_of_release(unsigned int release);

/* raw_later_kinds - append to a list what the variant bits of @version_word say that LLVM release @release did not know. */
void raw_later_kinds(uint64_t version_word, unsigned int release, struct buffer *text);

/* raw_release_text, raw_kind_text - append "LLVM 14 to 17"; what kind of profile it is. */
void raw_release_text(unsigned int version, struct buffer *text);
void raw_kind_text(uint64_t version_word, struct buffer *text);

#endif
