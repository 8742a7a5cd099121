/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_release.h - which releases of LLVM use a raw version, and raw versions and
 * variant bits in words.
 */
#ifndef BAREPROF_HOST_RAW_RELEASE_H
#define BAREPROF_HOST_RAW_RELEASE_H

#include "bytes.h"

/* The LLVM releases that write and read a raw version. newest is 0 if the newest release still does. */
struct raw_release {
	unsigned int version;
	unsigned int oldest;
	unsigned int newest;
	const char *words; /* "14 to 17" */
};

/* raw_release - returns the releases of @version, or NULL if it is unknown. */
const struct raw_release *raw_release(uint64_t version);

/* raw_version_of_release - returns the raw version that LLVM @release writes and reads; 0: not known. */
unsigned int raw_version_of_release(unsigned int release);

/* raw_later_kinds - appends the variants of @version_word that LLVM @release does not know to the list @text. */
void raw_later_kinds(uint64_t version_word, unsigned int release, struct buffer *text);

/*
 * raw_release_text - appends the releases of @version, such as "LLVM 14 to 17". raw_kind_text -
 * appends the kind of profile.
 */
void raw_release_text(unsigned int version, struct buffer *text);
void raw_kind_text(uint64_t version_word, struct buffer *text);

#endif
