/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show.h - declarations that the parts of `bareprof show` share. The declarations are for three subjects: the profile
 * after it was read and checked, the user's choice of contents, and the two output formats.
 */
#ifndef BAREPROF_HOST_SHOW_H
#define BAREPROF_HOST_SHOW_H

#include "indexed_head.h"
#include "profile_read.h"
#include "totals.h"

#include <regex.h>

enum show_sort {
	SORT_NAME,
	SORT_COUNT, /* highest count first */
	SORT_HASH,
	SORT_ORDER, /* the order of first calls */
};

/* The user's choice of what to show. */
struct show_choices {
	bool functions;
	bool covered; /* list only functions that ran; as text, print only their names */
	bool counts;
	bool values;
	bool bitmaps;
	bool traces;
	bool summary;
	const regex_t *regex; /* matches the names of the functions to list; NULL: any name */
	uint64_t top; /* at most this many functions; 0: all */
	enum show_sort sort;
};

/* One function as it is listed. */
struct listed_function {
	const struct function *function;
	uint64_t highest; /* maximum of its counts */
	uint32_t run; /* number of its counters that are not zero */
	size_t order; /* position in the order of first calls, from 1 on; 0: the function is in no trace */
};

struct show_state {
	struct show_choices choices;
	struct completion_options completion;
	enum file_format form; /* format of the file; FORMAT_RAW also for a dump */
	struct raw_profile *raw; /* the raw profiles, in the order of the file */
	size_t raw_count;
	size_t raw_room;
	struct indexed_head indexed; /* valid only for an indexed profile */
	bool correlated; /* a raw profile has no records, and there is no ELF file to take them from */
	struct model model; /* the functions of the profile; empty if the totals were counted without a model */
	struct totals totals;
	struct summary summary; /* summary of the functions that are not context-sensitive */
	struct summary context_sensitive;
	struct listed_function *listed;
	size_t listed_count;
	size_t matched_count; /* number of functions whose names match choices.regex */
};

/*
 * show_select - fills in state->listed with the functions that will be printed, in the order in which they are printed.
 * Errors: INVALID_INPUT.
 */
enum status show_select(struct show_state *state, struct error *error);

/* show_summarize - computes the summaries state->summary and state->context_sensitive. */
void show_summarize(struct show_state *state);

/* The result of show_stored(), which compares the summary in an indexed profile with the right summary. */
enum show_stored {
	STORED_NONE,
	STORED_RIGHT,
	STORED_WRONG,
};

/* show_stored - compares the summary in an indexed profile with the summary computed from its functions. */
enum show_stored show_stored(const struct show_state *state);

/* show_readers - appends the releases that read indexed profiles of @version, as in "LLVM 16 and later". */
void show_readers(unsigned int version, struct buffer *text);

/*
 * show_unused - returns true if the index version of the file does not fit the functions' hashes, so that
 * -fprofile-instr-use finds none of the functions.
 */
bool show_unused(const struct show_state *state);

/*
 * show_disagreements - returns the number of disagreements between the profiles in the file. For
 * example, if a function has 3 counters in one profile and 4 counters in another profile, this is
 * one disagreement. The numbers of counters, bitmap bytes and value sites are compared.
 */
uint64_t show_disagreements(const struct show_state *state);

/* show_weak_duplicates - returns the number of weak duplicates in the profile. */
uint64_t show_weak_duplicates(const struct show_state *state);

/* show_next_id - reads the next build id from @cursor, which begins at model.build_ids. Returns false at the end. */
bool show_next_id(struct cursor *cursor, struct bytes *id);

/* show_text, show_json - print the profile. The only possible error is a failed write to standard output. */
void show_text(struct show_state *state);
void show_json(struct show_state *state);

#endif
