/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_release.h - finds the LLVM releases that use a raw version. Also describes raw versions and
 * variant bits in words.
 */
#ifndef BAREPROF_HOST_RAW_RELEASE_H
#define BAREPROF_HOST_RAW_RELEASE_H

#include "bytes.h"

/*
 * The LLVM releases that write and read a raw version. If @newest is 0, all releases from @oldest
 * on use this version.
 */
struct raw_release {
	unsigned int version;
	unsigned int oldest;
	unsigned int newest;
	const char *words; /* the releases in words, such as "14 to 17" */
};

/* raw_release - returns the releases that use raw version @version, or NULL if that version is not known. */
const struct raw_release *raw_release(uint64_t version);

/*
 * raw_version_of_release - returns the raw version that LLVM release @release writes and reads, or
 * 0 if that release is not known.
 */
unsigned int raw_version_of_release(unsigned int release);

/*
 * raw_later_kinds - appends to @text, separated by commas, the variants in @version_word that LLVM
 * release @release does not know.
 */
void raw_later_kinds(uint64_t version_word, unsigned int release, struct buffer *text);

/*
 * raw_release_text - appends the releases that use raw version @version, such as "LLVM 14 to 17".
 * raw_kind_text - appends the kind of a profile with this version word, such as "IR PGO, temporal".
 */
void raw_release_text(unsigned int version, struct buffer *text);
void raw_kind_text(uint64_t version_word, struct buffer *text);

#endif
