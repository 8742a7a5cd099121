/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h - what would go wrong with the profile of a linked image, as a list
 * of findings, and what there is to be had of it.
 */
#ifndef BAREPROF_HOST_CHECK_H
#define BAREPROF_HOST_CHECK_H

#include "image.h"
#include "records.h"

enum severity {
	SEVERITY_NOTE,
	SEVERITY_WARNING, /* something is lost or wasted */
	SEVERITY_ERROR, /* there is no usable profile */
};

struct finding {
	enum severity severity;
	const char *id; /* a fixed word for programs */
	char *text; /* a sentence */
	const char *fix; /* the line to add; NULL: none */
};

enum part {
	PART_COUNTERS,
	PART_RECORDS,
	PART_NAMES,
	PART_BITMAPS,
	PART_VTABLES,
	PART_VNAMES,
	PARTS,
};

extern const char *const part_name[PARTS];

/* Starts as all zeros but for the path and what is forbidden; ends with check_free(). */
struct check {
	const char *path;
	const char *const *forbidden; /* sections without instrumentation, NULL at the end */

	struct image image;
	struct extent part[PARTS];
	bool present[PARTS];
	struct bytes content[PARTS];
	struct names names;
	struct records records;
	bool learnt; /* one layout reads all records */
	size_t build_id; /* bytes */
	struct buffer compilers;
	uint64_t version_word; /* of __llvm_profile_raw_version; 0: not defined */
	uint64_t functions;
	uint64_t sites;
	uint64_t loaded; /* bytes of profile sections in loaded segments */
	uint64_t spare; /* those that need not be */

	struct finding *list; /* errors first */
	size_t count;
	size_t room;
};

/* check_image - read and judge. Errors, of the file as such: SYSTEM, BAD. */
enum status check_image(struct check *check, struct error *error);
void check_free(struct check *check);

/* check_add - add a finding. */
void check_add(struct check *check, enum severity severity, const char *id, const char *fix, const char *text, ...)
	__attribute__((format(printf, 5, 6)));

/* Parts of check_image(): bounds and sections; the records; the functions they are of. */
void check_sections(struct check *check);
void check_records(struct check *check);
void check_functions(struct check *check);

/* check_function - what to call the function of a record; the caller frees it. */
char *check_function(const struct check *check, const struct record *record);

/* How large the dump will be. All 0 if the layout is not known or a size not credible. */
struct estimate {
	uint64_t profraw;
	uint64_t text; /* as console lines of blocks of the smallest buffer */
	uint64_t frames; /* as binary frames; at most */
};

struct estimate check_estimate(const struct check *check);

#endif
