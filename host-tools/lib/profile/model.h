/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - a profile in memory: functions with their counts, added up from
 * any number of inputs.
 *
 * Readers (raw, indexed, text) fill a model with model_add(), writers (indexed, text, show) walk
 * it in the order of model_sort(). The result does not depend on the order of the inputs: sums
 * saturate, and if a function has different numbers of counters, sites or bitmap bytes in two
 * inputs, the larger function is kept. (llvm-profdata keeps the first one.)
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

/* One function, for readers, models and writers. */
struct function {
	uint64_t reference; /* reference to the name: md5_low() of the name */
	uint64_t hash; /* structural hash */
	struct bytes name;
	uint64_t *counters;
	uint8_t *bitmap; /* MC/DC test vectors */
	struct sites *sites; /* NULL: none */
	uint32_t counter_count;
	uint32_t bitmap_size;
};

/* Facts that model_add() and readers notice, and that commands report at the end. */
enum model_note {
	NOTE_OVERFLOW, /* a count reached COUNT_MAX */
	NOTE_COUNTERS, /* two inputs differ in the number of counters of a function */
	NOTE_BITMAP, /* two inputs differ in the size of the bitmap of a function */
	NOTE_SITES, /* two inputs differ in the number of value sites of a function */
	NOTE_WEAK_DUPLICATES, /* a profile has weak duplicates; @times: the highest number of them in one profile */
	MODEL_NOTES
};

struct model {
	uint64_t variants; /* BAREPROF_VARIANT_* of all inputs, without a version number */
	bool has_kind; /* there was an input, so @variants is valid */
	struct function *functions;
	size_t count;
	size_t room;
	struct buffer build_ids; /* as in indexed profiles: sorted and unique after model_sort() */
	struct traces traces;
	struct memprof memprof;
	struct {
		uint64_t times;
		char *function; /* name of the function that is first by name */
	} notes[MODEL_NOTES];

	/* Only for model.c and model_order.c. */
	uint32_t
		*table; /* hash table; an entry is the index of a function, plus 1. NULL until something is looked up */
	size_t table_size; /* a power of two */
	size_t indexed; /* the first @indexed functions are in the table */
	uint64_t seed; /* random seed of the hash table, so that no file can put all its functions into one slot */
	struct function **by_reference; /* for model_name() */
	struct arena arena;
	struct buffer *kept; /* the buffers that model_keep() has moved to the model */
	size_t kept_count;
	size_t kept_room;
	struct long_names long_names;
};

void model_start(struct model *model);
void model_free(struct model *model);

/*
 * model_kind - announces an input of the kind in the variant bits of @version_word. Inputs with
 * different kinds of counters cannot be merged: front-end and IR, full counts and coverage. IR and
 * context-sensitive IR can. Errors: INVALID_INPUT.
 */
enum status model_kind(struct model *model, uint64_t version_word, struct error *error);

/*
 * kinds_mix - returns whether inputs with these variants can be merged. kind_name - returns the
 * name of the kind of counts that such inputs have.
 */
bool kinds_mix(uint64_t a, uint64_t b);
const char *kind_name(uint64_t variants);

/* model_reserve - makes room for about @count functions. More may come. */
void model_reserve(struct model *model, size_t count);

/*
 * model_add - adds @function with its counts multiplied by @weight, and copies all data that it
 * points to. Returns the function in the model, which is valid until the next call.
 */
struct function *model_add(struct model *model, const struct function *function, uint64_t weight);

/*
 * model_append - adds @function to a model that was empty before this input. Nothing is copied:
 * the caller makes sure that the data stays valid as long as the model (model_keep()). The model
 * may change this data, and frees the sites. Nothing is looked up either: two functions with the
 * same key are merged by a later model_add(), or by model_sort(). Only for the first input,
 * because memory grows with all functions that are appended.
 */
void model_append(struct model *model, const struct function *function);
/* model_keep - moves @buffer, into which functions point, to the model. @buffer is empty after that. */
void model_keep(struct model *model, struct buffer *buffer);

/* model_find - returns the function with this key, or NULL. */
struct function *model_find(struct model *model, uint64_t reference, uint64_t hash);

void model_add_build_id(struct model *model, struct bytes id);
void model_note(struct model *model, enum model_note note, const struct function *function);
/*
 * model_note_weak_duplicates - notes that @function is one of @count weak duplicates in a
 * profile. The note keeps the highest @count and not a sum, because a merge has many profiles of
 * the same build.
 */
void model_note_weak_duplicates(struct model *model, const struct function *function, uint64_t count);

/* model_join - adds everything in @from to @model. @from is empty after that. Errors: INVALID_INPUT (kinds). */
enum status model_join(struct model *model, struct model *from, struct error *error);

/*
 * model_sort - puts everything into the order in which it is written: functions by the bytes of
 * their names, then by hash; the values of a site by count, at most 255 of them. After that
 * nothing may be added, and the notes do not change any more.
 */
void model_sort(struct model *model);

/*
 * Only for model_order.c. model_unindex - drops the hash table and all other indexes, because
 * functions will move.
 * model_merge - adds @from, @weight times, to @to, which has the same key.
 */
void model_unindex(struct model *model);
void model_merge(struct model *model, struct function *to, const struct function *from, uint64_t weight);

/* model_drop_zero - drops names whose counts and bitmaps are all zero (--sparse). Call it after model_sort(). */
void model_drop_zero(struct model *model);

/* model_name - returns the name with @reference, or an empty one. Call it after model_sort(). */
struct bytes model_name(struct model *model, uint64_t reference);

#endif
