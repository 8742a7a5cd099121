/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge.h - compares the result of reading a damaged capture of counters with the dump that was
 * sent. The result must be the same profile, a partial profile with a warning, or an error.
 */
#ifndef BAREPROF_TESTS_HOST_JUDGE_H
#define BAREPROF_TESTS_HOST_JUDGE_H

#include "dump_receiver.h"
#include "input.h"
#include "names.h"

#define SENT_BLOCKS_MAX 256

/* A dump as the target sent it, and the profile that the dump must give. */
struct sent {
	struct input capture;
	struct input profile;
	struct raw_profile whole;
	struct names names;
	struct buffer payloads;
	struct block block[SENT_BLOCKS_MAX];
	size_t count;
	uint32_t tag;
};

/*
 * sent_read - reads a dump from the file @capture, and its profile from the file @profile. Returns false if one of
 * the files cannot be read or has unexpected content.
 */
bool sent_read(struct sent *sent, const char *capture, const char *profile);
void sent_free(struct sent *sent);

enum verdict {
	WHOLE, /* the profile that was sent */
	PART, /* only with --partial: some functions with right counts, and the names of all others */
	REFUSED, /* an error that names what is missing */
	WRONG, /* any other result */
	VERDICTS
};

struct judged {
	enum verdict strict;
	enum verdict partial;
	const char *why; /* a description of the mistake, if strict or partial is WRONG */
};

/*
 * judge - reads @carrier twice, without and with --partial. @carrier has blocks of the @count dumps in @sent. If
 * arrived[s * SENT_BLOCKS_MAX + i] is true, block i of dump s is in @carrier without damage, so no error may name
 * that block. @arrived is NULL if this is not known.
 */
struct judged judge(
	struct programs *programs, const struct sent *sent, size_t count, struct bytes carrier, const bool *arrived);

#endif
