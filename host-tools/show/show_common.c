/* SPDX-License-Identifier: BSD-2-Clause */
/* show_common.c - computes facts about a whole profile that are in both output formats, text and JSON. */
#include "show.h"

/* Returns whether the summaries are the same. Only cutoffs that both summaries have are compared. */
static bool same_summary(const struct summary *stored, const struct summary *ours)
{
	size_t i;
	size_t j;

	if (stored->functions != ours->functions || stored->blocks != ours->blocks ||
		stored->max_function_count != ours->max_function_count || stored->max_count != ours->max_count ||
		stored->max_internal_count != ours->max_internal_count || stored->total != ours->total)
		return false;
	for (i = 0; i < SUMMARY_CUTOFFS; i++)
		for (j = 0; j < SUMMARY_CUTOFFS; j++)
			if (stored->cutoff[i].share && stored->cutoff[i].share == ours->cutoff[j].share &&
				(stored->cutoff[i].min_count != ours->cutoff[j].min_count ||
					stored->cutoff[i].blocks != ours->cutoff[j].blocks))
				return false;
	return true;
}

void show_summarize(struct show_state *state)
{
	/*
	 * In IR profiles, a bit of the hash marks context-sensitive functions. In front-end profiles, this bit has no
	 * meaning, so one summary has all functions.
	 */
	if (!(state->model.variants & BAREPROF_VARIANT_IR)) {
		summary_of_all(&state->summary, &state->model);
		return;
	}
	summary_of(&state->summary, &state->model, false);
	summary_of(&state->context_sensitive, &state->model, true);
}

enum show_stored show_stored(const struct show_state *state)
{
	const struct indexed_head *head = &state->indexed;
	struct summary ours;

	if (state->form != FORMAT_INDEXED || !head->has_summary)
		return STORED_NONE;
	/*
	 * The hash of a front-end function can have the bit for context-sensitive functions by chance. Such a function
	 * is left out, because writers of indexed profiles also leave it out.
	 */
	summary_of(&ours, &state->model, false);
	if (!same_summary(&head->summary, &ours))
		return STORED_WRONG;
	summary_of(&ours, &state->model, true);
	if ((head->variants & BAREPROF_VARIANT_CSIR) && !same_summary(&head->context_sensitive, &ours))
		return STORED_WRONG;
	return STORED_RIGHT;
}

void show_readers(unsigned int version, struct buffer *text)
{
	buffer_printf(text, "LLVM %u and later", release_of_index_version(version));
}

bool show_unused(const struct show_state *state)
{
	bool for_v4 = state->indexed.version >= INDEXED_HASH_V4;

	return state->form == FORMAT_INDEXED &&
	       ((state->totals.hashes == HASHES_V4 && !for_v4) || (state->totals.hashes == HASHES_V3 && for_v4));
}

uint64_t show_disagreements(const struct show_state *state)
{
	return state->model.notes[NOTE_COUNTERS].times + state->model.notes[NOTE_BITMAP].times +
	       state->model.notes[NOTE_SITES].times;
}

uint64_t show_weak_duplicates(const struct show_state *state)
{
	return state->model.notes[NOTE_WEAK_DUPLICATES].times;
}

bool show_next_id(struct cursor *cursor, struct bytes *id)
{
	if (cursor->at == cursor->end)
		return false;
	*id = take_bytes(cursor, take_fixed(cursor, 8));
	take_bytes(cursor, BAREPROF_PAD8(id->size));
	return !cursor->failed;
}
