/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show.h - what the parts of `bareprof show` share: the profile, read and
 * checked as a whole, what of it is to be shown, and the two forms of output.
 */
#ifndef BAREPROF_HOST_SHOW_H
#define BAREPROF_HOST_SHOW_H

#include "indexed_head.h"
#include "profile_read.h"
#include "totals.h"

#include <regex.h>

enum show_sort {
	SORT_NAME,
	SORT_COUNT, /* highest first */
	SORT_HASH,
	SORT_ORDER, /* of first calls */
};

/* What is to be shown. */
struct show_choices {
	bool functions;
	bool counts;
	bool values;
	bool bitmaps;
	bool traces;
	bool summary;
	const regex_t *regex; /* NULL: functions of any name */
	uint64_t top; /* 0: all */
	enum show_sort sort;
};

/* One function as it is listed. */
struct listed_function {
	const struct function *function;
	uint64_t highest; /* count */
	uint32_t run; /* counters that are not zero */
	size_t order; /* its place in the order of first calls; 0: in none */
};

struct show_state {
	struct show_choices choices;
	struct completion_options completion;
	enum file_format form; /* FORMAT_RAW also of a dump */
	struct raw_profile *raw; /* one after the other, if it is raw */
	size_t raw_count;
	size_t raw_room;
	struct indexed_head indexed; /* if it is indexed */
	bool correlated; /* a raw profile has no records, and there is no ELF file to take them from */
	struct model model; /* has no functions where the totals were enough */
	struct totals totals;
	struct summary summary; /* of functions that are not context-sensitive */
	struct summary context_sensitive;
	struct listed_function *listed;
	size_t listed_count;
};

/* show_select - find out which functions are to be listed, in which order. Errors: INVALID_INPUT. */
enum status show_select(struct show_state *state, struct error *error);

/* show_summarize - fill in the summaries. */
void show_summarize(struct show_state *state);

/* What an indexed profile says of itself, against what its functions say. */
enum show_stored {
	STORED_NONE,
	STORED_RIGHT,
	STORED_WRONG,
};

enum show_stored show_stored(const struct show_state *state);

/* show_readers - append which releases read indexed profiles of @version: "LLVM 16 and later". */
void show_readers(unsigned int version, struct buffer *text);

/* show_unused - would -fprofile-instr-use find none of the functions, as the file's index version does not fit their hashes? */
bool show_unused(const struct show_state *state);

/* show_disagreements - how often two profiles of the file had another shape of one function. */
uint64_t show_disagreements(const struct show_state *state);

/* show_weak_duplicates - how many definitions of weak functions the linker discarded, but kept the records of. */
uint64_t show_weak_duplicates(const struct show_state *state);

/* show_next_id - take the next build id of a model, whose build_ids @cursor starts at; false at the end. */
bool show_next_id(struct cursor *cursor, struct bytes *id);

/* show_text, show_json - put it out. Nothing can fail any more but standard output. */
void show_text(struct show_state *state);
void show_json(struct show_state *state);

#endif
