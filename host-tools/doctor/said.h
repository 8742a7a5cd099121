/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * said.h - recognises the sentences of llvm-profdata, llvm-cov and clang in a text, such as a log of a build.
 */
#ifndef BAREPROF_HOST_SAID_H
#define BAREPROF_HOST_SAID_H

#include "bytes.h"
#include "causes.h"

/* What LLVM's tools said. Starts as all zeros. */
struct said {
	unsigned int sentences; /* bits of enum sentence */
	const char *words; /* those of the first sentence that was found; NULL: none */
	uint64_t has_version; /* the raw version of the profile, if the sentence tells it; 0: not told */
	uint64_t wants_version; /* the raw version that the tool reads; 0: not told */
};

/* said_read - adds the sentences in @text to @said. Returns whether there was at least one. */
bool said_read(struct said *said, struct bytes text);

/* said_words - returns the words by which sentence @number, from 0 to SENTENCES - 1, is recognised. */
const char *said_words(unsigned int number);

#endif
