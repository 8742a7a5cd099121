/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - a profile in memory: functions with their counts, summed up from
 * any number of inputs.
 *
 * Every reader (raw, indexed, text) fills a model by model_add(), every writer
 * (indexed, text, show) walks one in the order of model_sort(). The result does
 * not depend on the order of the inputs: sums saturate, and where two inputs
 * disagree about the shape of a function the larger shape wins, whichever came
 * first. (llvm-profdata keeps the first.)
 */
#ifndef BAREPROF_HOST_MODEL_H
#define BAREPROF_HOST_MODEL_H

#include "arena.h"
#include "error.h"
#include "long_names.h"
#include "memprof.h"
#include "sites.h"
#include "traces.h"

#include <bareprof/layout.h>

/* One function: what readers give, what the model holds, what writers get. */
struct function {
	uint64_t reference; /* of the name: md5_low() of it */
	uint64_t hash; /* of its structure */
	struct bytes name;
	uint64_t *counters;
	uint8_t *bitmap; /* MC/DC test vectors */
	struct sites *sites; /* NULL: none */
	uint32_t counter_count;
	uint32_t bitmap_size;
};

/* What was noticed while adding, to be told at the end: how often, and where first. */
enum model_note {
	NOTE_OVERFLOW, /* a count reached COUNT_MAX */
	NOTE_COUNTERS, /* same name and hash, another number of counters */
	NOTE_BITMAP, /* ... size of the bitmap */
	NOTE_SITES, /* ... number of value sites */
	NOTE_WEAK_DUPLICATES, /* a record of a function that is defined weak more than once, not the one in use: in one profile, at most */
	MODEL_NOTES
};

struct model {
	uint64_t variants; /* BAREPROF_VARIANT_* of all inputs; the number is 0 */
	bool has_kind; /* there was an input: variants means something */
	struct function *functions;
	size_t count;
	size_t room;
	struct buffer build_ids; /* as in indexed profiles: sorted and unique after model_sort() */
	struct traces traces;
	struct memprof memprof;
	struct {
		uint64_t times;
		char *function; /* first by name */
	} notes[MODEL_NOTES];

	/* The model's own. */
	uint32_t *table; /* hash table: index + 1 of a function; NULL until something is looked up */
	size_t table_size; /* a power of two */
	size_t indexed; /* so many functions from the first on are in the table */
	uint64_t seed; /* of the hash table: no file can be made to fill one slot */
	struct function **by_reference; /* for model_name() */
	struct arena arena;
	struct buffer *kept; /* what functions point to */
	size_t kept_count;
	size_t kept_room;
	struct long_names long_names;
};

void model_start(struct model *model);
void model_free(struct model *model);

/*
 * model_kind - an input of the kind that @version_word's variant bits tell
 * begins. Inputs of different counters do not mix: front-end and IR, full
 * counts and coverage. IR and context-sensitive IR do. Errors: INVALID_INPUT.
 */
enum status model_kind(struct model *model, uint64_t version_word, struct error *error);

/* kinds_mix - may one model have inputs of both variants? kind_name - what they have. */
bool kinds_mix(uint64_t a, uint64_t b);
const char *kind_name(uint64_t variants);

/* model_reserve - about @count functions will come: what a hint it is, not a limit. */
void model_reserve(struct model *model, size_t count);

/*
 * model_add - add @function, @weight times. All that it points to is copied.
 * Returns the function of the model, valid until the next call.
 */
struct function *model_add(struct model *model, const struct function *function, uint64_t weight);

/*
 * model_append - add @function to what began as an empty model. Nothing is copied:
 * what it points to stays as long as the model does (model_keep()) and is the
 * model's to alter, its sites are the model's to free. Nothing is looked up either:
 * two of one key become one when a later model_add() asks for them, or in
 * model_sort(). For first inputs only, else memory would grow with each input.
 */
void model_append(struct model *model, const struct function *function);
/* model_keep - the model takes over @buffer, which functions point into; it is empty after it. */
void model_keep(struct model *model, struct buffer *buffer);

/* model_find - the function, or NULL. */
struct function *model_find(struct model *model, uint64_t reference, uint64_t hash);

void model_add_build_id(struct model *model, struct bytes id);
void model_note(struct model *model, enum model_note note, const struct function *function);
/* model_note_weak_duplicates - @function is one of @count weak duplicates in a profile. The same build comes many times: the most counts. */
void model_note_weak_duplicates(struct model *model, const struct function *function, uint64_t count);

/* model_join - add all of @from to @model; @from is empty after it. Errors: INVALID_INPUT (kinds). */
enum status model_join(struct model *model, struct model *from, struct error *error);

/*
 * model_sort - bring everything into the order in which it is written: functions
 * by the bytes of their names, then by hash; values of a site by count, at most
 * 255 of them. After it nothing may be added, and there are no more notes to come.
 */
void model_sort(struct model *model);

/*
 * The model's own, for model_order.c. model_unindex - functions have moved, or are
 * about to. model_merge - add @from, @weight times, to @to, which has the same key.
 */
void model_unindex(struct model *model);
void model_merge(struct model *model, struct function *to, const struct function *from, uint64_t weight);

/* model_drop_zero - forget the names all of whose counts and bitmaps are zero (--sparse). After model_sort(). */
void model_drop_zero(struct model *model);

/* model_name - the name that @reference stands for, or empty. After model_sort(). */
struct bytes model_name(struct model *model, uint64_t reference);

#endif
