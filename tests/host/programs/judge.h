/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge.h - captures of counters that a bad wire damaged, held against what was
 * sent: did the very profile come out, a part of it that says so, or a refusal?
 */
#ifndef BAREPROF_TESTS_HOST_JUDGE_H
#define BAREPROF_TESTS_HOST_JUDGE_H

#include "dump_receiver.h"
#include "input.h"
#include "names.h"

#define SENT_BLOCKS_MAX 256

/* A dump as it was sent, and the profile that is the truth of it. */
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

/* sent_read - false if the files cannot be read, or are not what they are to be. */
bool sent_read(struct sent *sent, const char *capture, const char *profile);
void sent_free(struct sent *sent);

enum verdict {
	WHOLE, /* the very profile */
	PART, /* only with --partial: functions of it, each as in the whole, and all others are named */
	REFUSED, /* something is missing, and is named */
	WRONG, /* anything else */
	VERDICTS
};

struct judged {
	enum verdict strict;
	enum verdict partial;
	const char *why; /* one is WRONG */
};

/*
 * judge - what comes of @carrier, without and with --partial. It has blocks of the
 * @count dumps @sent; arrived[s * SENT_BLOCKS_MAX + i]: block i of dump s is in it
 * without damage, so that it may not be called missing. NULL: nothing is known of that.
 */
struct judged judge(
	struct programs *programs, const struct sent *sent, size_t count, struct bytes carrier, const bool *arrived);

#endif
