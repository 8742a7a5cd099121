/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - a profile in memory: functions with their counts, which are the sums over any number of
 * inputs.
 * Readers (raw, indexed, text) fill a model with model_add(). Writers (indexed, text, show) go
 * through its functions in the order of model_sort().
 * The result does not depend on the order of the inputs. Sums do not exceed COUNT_MAX. If a
 * function has different numbers of counters, sites or bitmap bytes in two inputs, the larger
 * number is kept. (llvm-profdata keeps the function of the first input.)
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

/* A function, in the form that readers, models and writers use. */
struct function {
	uint64_t reference; /* name hash: md5_low() of the name */
	uint64_t hash; /* structural hash */
	struct bytes name;
	uint64_t *counters;
	uint8_t *bitmap; /* MC/DC test vectors that were seen */
	struct sites *sites; /* NULL: the function has no value sites */
	uint32_t counter_count;
	uint32_t bitmap_size;
};

/* function_ran - returns whether a counter of @function is not 0. */
static inline bool function_ran(const struct function *function)
{
	uint32_t i;

	for (i = 0; i < function->counter_count; i++)
		if (function->counters[i])
			return true;
	return false;
}

/* Facts that model_add() and readers find out about the inputs, and that commands report at the end. */
enum model_note {
	NOTE_OVERFLOW, /* a count reached COUNT_MAX */
	NOTE_COUNTERS, /* two inputs differ in the number of counters of a function */
	NOTE_BITMAP, /* two inputs differ in the size of the bitmap of a function */
	NOTE_SITES, /* two inputs differ in the number of value sites of a function */
	/* a profile has weak duplicates; @times is the highest number of weak duplicates in one profile */
	NOTE_WEAK_DUPLICATES,
	MODEL_NOTES
};

struct model {
	uint64_t variants; /* bits BAREPROF_VARIANT_* of all inputs, without a version number */
	bool has_kind; /* true: there was an input, so @variants is valid */
	struct function *functions;
	size_t count;
	size_t room;
	/* build ids in the form that indexed profiles use; after model_sort() they are sorted and unique */
	struct buffer build_ids;
	struct traces traces;
	struct memprof memprof;
	struct {
		uint64_t times;
		/* name of the function for which the note was made; of several names, the first in sorted order */
		char *function;
	} notes[MODEL_NOTES];

	/* The following members are only for model.c and model_order.c. */
	/* hash table; a slot contains the index of a function plus 1. NULL: the table was not needed yet */
	uint32_t *table;
	size_t table_size; /* number of slots, a power of two */
	size_t indexed; /* the functions before this index are in the table */
	/* random seed of the hash table, so that no file can be made to have all functions in one slot */
	uint64_t seed;
	struct function **by_reference; /* index of the functions by name hash, for model_name() */
	struct arena arena;
	struct buffer *kept; /* the buffers that model_keep() moved to the model */
	size_t kept_count;
	size_t kept_room;
	struct long_names long_names;
};

void model_start(struct model *model);
void model_free(struct model *model);

/*
 * model_kind - adds the variants in @version_word to the variants of the model. A reader calls model_kind() for each
 * input, before it adds functions. Inputs with different kinds of counters cannot be merged, for example front-end
 * counts with IR counts, or full counts with byte counters. IR counts can be merged with context-sensitive IR counts.
 * Errors: INVALID_INPUT.
 */
enum status model_kind(struct model *model, uint64_t version_word, struct error *error);

/*
 * kinds_mix - returns whether inputs with the variants @a can be merged with inputs with the
 * variants @b.
 * kind_name - returns the name of a kind of counts. Inputs with @variants have counts of this kind.
 */
bool kinds_mix(uint64_t a, uint64_t b);
const char *kind_name(uint64_t variants);

/* model_reserve - makes room for about @count functions. More functions can still be added. */
void model_reserve(struct model *model, size_t count);

/*
 * model_add - adds @function, with its counts multiplied by @weight. All data to which @function
 * points is copied. Returns the function in the model. The returned pointer is valid until the next
 * call.
 */
struct function *model_add(struct model *model, const struct function *function, uint64_t weight);

/*
 * model_append - adds @function to a model that was empty before the current input. Use it only for the first input,
 * because each call takes memory for one more function, even if the model has this function. No data of @function is
 * copied. The caller must make sure that the data stays valid as long as the model, for example with model_keep(). The
 * model may change this data, and it frees the sites. model_append() does not search in the model. If two functions
 * have the same key, model_sort() or a later model_add() merges them.
 */
void model_append(struct model *model, const struct function *function);
/* model_keep - moves the memory of @buffer, to which functions point, to the model. Afterwards @buffer is empty. */
void model_keep(struct model *model, struct buffer *buffer);

/* The key of a function. */
struct model_key {
	uint64_t reference; /* name hash */
	uint64_t hash; /* structural hash */
};

/*
 * model_find - returns the function with the name hash @reference and the structural hash @hash, or NULL.
 * model_find_each - does the same for @count keys, and stores the functions in @found. A search mostly waits for memory
 *	that is not in the cache. model_find_each() waits for the memory of all keys at once.
 */
struct function *model_find(struct model *model, uint64_t reference, uint64_t hash);
void model_find_each(struct model *model, const struct model_key *keys, size_t count, struct function **found);

void model_add_build_id(struct model *model, struct bytes id);
void model_note(struct model *model, enum model_note note, const struct function *function);
/*
 * model_note_weak_duplicates - notes that @function is one of @count weak duplicates in a profile.
 * The note stores the highest @count of all calls. A sum would be misleading, because a merge usually
 * has many profiles of the same build.
 */
void model_note_weak_duplicates(struct model *model, const struct function *function, uint64_t count);

/*
 * model_join - adds everything in @from to @model. Afterwards @from is empty. Errors: INVALID_INPUT
 * if the kinds cannot be merged.
 */
enum status model_join(struct model *model, struct model *from, struct error *error);

/*
 * model_sort - puts the model into the order in which it is written. Functions are sorted by the
 * bytes of their names, then by hash. The values of a site are sorted by count, and at most 255 of
 * them are kept. Afterwards nothing may be added, and the notes do not change any more.
 */
void model_sort(struct model *model);
/* model_sort_build_ids - sorts only the build ids, and removes those that occur twice. model_sort() does it, too. */
void model_sort_build_ids(struct model *model);

/*
 * These two functions are only for model_order.c and model_filter.c.
 * model_unindex - drops the hash table and all other indexes, because functions will move.
 * model_merge - adds @from to @to, which has the same key. The counts of @from are multiplied
 * by @weight.
 */
void model_unindex(struct model *model);
void model_merge(struct model *model, struct function *to, const struct function *from, uint64_t weight);

/*
 * model_drop_zero - drops each name if all counts and bitmaps of its functions are zero (--sparse).
 * Call it after model_sort().
 */
void model_drop_zero(struct model *model);

/*
 * model_filter - keeps the functions for whose names @keep returns true, and removes all others, also from the traces.
 * Call it after model_sort(). The model stays sorted.
 */
void model_filter(struct model *model, bool (*keep)(void *context, struct bytes name), void *context);

/*
 * model_name - returns the name whose name hash is @reference. Returns an empty slice if the model has no such name.
 * Call it after model_sort().
 */
struct bytes model_name(struct model *model, uint64_t reference);

#endif
