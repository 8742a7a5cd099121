/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show_text.c - prints a profile as text, for people. The whole profile was checked before.
 */
#include "raw_release.h"
#include "show.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>

#define PER_LINE 16u

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void put_id(struct bytes id)
{
	size_t i;

	printf("build id:    ");
	for (i = 0; i < id.size; i++)
		printf("%02x", id.data[i]);
	printf("%s\n", id.size ? "" : "none");
}

static void put_kind(uint64_t variants)
{
	struct buffer text = {0};

	raw_kind_text(variants, &text);
	printf("kind:        %s\n", buffer_string(&text));
	buffer_free(&text);
}

static void raw_head(const struct raw_profile *raw)
{
	struct bytes rest = raw->section[BAREPROF_BUILD_ID];
	struct buffer text = {0};
	struct bytes id = {NULL, 0};

	raw_release_text(raw->version, &text);
	printf("raw version: %u (%s), %u-bit, %s-endian\n", raw->version, buffer_string(&text), raw->width * 8,
		raw->big ? "big" : "little");
	put_kind(raw->version_word);
	if (!rest.size)
		put_id(id);
	while (raw_next_build_id(raw, &rest, &id))
		put_id(id);
	buffer_free(&text);
}

static void raw_heads(const struct show_state *state)
{
	size_t i;

	for (i = 0; i < state->raw_count; i++) {
		const struct raw_profile *raw = &state->raw[i];

		if (state->raw_count > 1)
			printf("profile %zu of %zu, at offset %zu\n", i + 1, state->raw_count, raw->offset);
		raw_head(raw);
		if (raw_correlated(raw))
			printf("counters:    %" PRIu64 "\nNo records: records and names are in the ELF file%s.\n",
				raw->header[BAREPROF_HEADER_NUM_COUNTERS],
				raw->version_word & BAREPROF_VARIANT_DEBUG_CORRELATE
					? " (its debug information)"
					: " (sections __llvm_covdata and __llvm_covnames)");
		if (state->raw_count > 1)
			printf("\n");
	}
	if (state->raw_count > 1 && !state->correlated)
		printf("all %zu profiles together\n", state->raw_count);
}

static void indexed_head(const struct show_state *state)
{
	struct cursor ids = cursor_of((struct bytes){state->model.build_ids.data, state->model.build_ids.size});
	struct buffer text = {0};
	struct bytes id = {NULL, 0};

	show_readers(state->indexed.version, &text);
	printf("indexed:     version %u, read by %s\n", state->indexed.version, buffer_string(&text));
	put_kind(state->indexed.variants);
	if (!state->model.build_ids.size && state->indexed.version >= INDEXED_BUILD_IDS)
		put_id(id);
	while (show_next_id(&ids, &id))
		put_id(id);
	if (state->indexed.variants & INDEXED_VARIANT_MEMPROF)
		printf("memprof:     there is a memory profile, which show does not print\n");
	if (show_stored(state) == STORED_WRONG)
		printf("summary:     the stored summary does not agree with the counts; compilers use it to find hot "
		       "and cold functions\n");
	buffer_free(&text);
}

static void put_hashes(const struct show_state *state)
{
	const char *text = NULL;

	switch (state->totals.hashes) {
	case HASHES_V3:
		text = "of clang 11 to 21";
		break;
	case HASHES_V4:
		text = "of clang 22 and later";
		break;
	case HASHES_BOTH:
		text = "both of clang 11 to 21 and of clang 22 and later";
		break;
	default:
		return;
	}
	printf("hashes:      %s%s\n", text,
		show_unused(state)
			? "; -fprofile-instr-use does not find these functions in this index version: merge again"
			: "");
}

static void put_totals(const struct show_state *state)
{
	static const char *const sites[PROFILE_KINDS] = {"indirect call", "memory operation", "virtual call"};
	const struct totals *totals = &state->totals;
	const char *before = "values:      sites of ";
	unsigned int kind;

	printf("functions:   %" PRIu64 ", of which %" PRIu64 " ran\n", totals->functions, totals->functions_run);
	printf("counters:    %" PRIu64 ", of which %" PRIu64 " are not zero\n", totals->counters, totals->counters_run);
	printf("counts:      %" PRIu64 " in all, the highest %" PRIu64 "\n", totals->sum, totals->highest);
	for (kind = 0; kind < PROFILE_KINDS; kind++) {
		if (!totals->sites[kind])
			continue;
		printf("%s%" PRIu64 " %s%s", before, totals->sites[kind], sites[kind], plural(totals->sites[kind]));
		before = ", ";
	}
	if (*before == ',')
		printf("\n");
	if (totals->bitmap_bytes)
		printf("bitmaps:     %" PRIu64 " byte%s of MC/DC\n", totals->bitmap_bytes,
			plural(totals->bitmap_bytes));
	if (state->model.traces.count)
		printf("traces:      %zu of %" PRIu64 "\n", state->model.traces.count, state->model.traces.stream_size);
	put_hashes(state);
	if (show_disagreements(state))
		printf("mixed:       %" PRIu64
		       " time%s, records of one function have different sizes; the larger size is used\n",
			show_disagreements(state), plural(show_disagreements(state)));
	if (show_weak_duplicates(state))
		printf("weak:        %" PRIu64 " definition%s of weak functions %s not used by the linker, and never "
		       "ran\n",
			show_weak_duplicates(state), plural(show_weak_duplicates(state)),
			show_weak_duplicates(state) == 1 ? "was" : "were");
}

static void put_summary(const char *title, const struct summary *summary)
{
	size_t i;

	printf("\n%s: %" PRIu64 " function%s, %" PRIu64 " counter%s, %" PRIu64 " counts\n", title, summary->functions,
		plural(summary->functions), summary->blocks, plural(summary->blocks), summary->total);
	printf("  highest first counter %" PRIu64 ", highest other counter %" PRIu64 "\n", summary->max_function_count,
		summary->max_internal_count);
	for (i = 0; i < SUMMARY_CUTOFFS; i++)
		printf("  %8.4f %% of the counts are in %" PRIu64 " counter%s with %" PRIu64 " or more\n",
			(double)summary->cutoff[i].share / 10000, summary->cutoff[i].blocks,
			plural(summary->cutoff[i].blocks), summary->cutoff[i].min_count);
}

static void put_target(struct show_state *state, unsigned int kind, uint64_t value)
{
	struct bytes name = {NULL, 0};

	if (kind == 1) {
		printf("size %" PRIu64 "\n", value);
		return;
	}
	if (value && kind == 0)
		name = model_name(&state->model, value);
	if (name.size)
		print_safe(name);
	else if (value)
		printf("%016" PRIx64, value);
	else
		printf("not in the profile");
	printf("\n");
}

static void put_values(struct show_state *state, const struct sites *sites)
{
	static const char *const what[PROFILE_KINDS] = {"indirect call", "memory operation", "virtual call"};
	unsigned int kind;
	uint32_t i;
	size_t j;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		for (i = 0; i < sites->count[kind]; i++) {
			const struct site *site = &sites->site[kind][i];

			printf("  %s %" PRIu32 "%s\n", what[kind], i + 1, site->count ? ":" : ": nothing seen");
			for (j = 0; j < site->count; j++) {
				printf("    %10" PRIu64 "  ", site->values[j].count);
				put_target(state, kind, site->values[j].value);
			}
		}
}

static void put_function(struct show_state *state, const struct listed_function *listed)
{
	const struct show_choices *choices = &state->choices;
	const struct function *function = listed->function;
	uint32_t i;

	printf("\n");
	print_safe(function->name);
	printf("\n  hash 0x%016" PRIx64 ", ", function->hash);
	if (listed->order)
		printf("called as number %zu, ", listed->order);
	printf("highest count %" PRIu64 ", %" PRIu32 " counter%s, %" PRIu32 " not zero\n", listed->highest,
		function->counter_count, plural(function->counter_count), listed->run);
	if (choices->counts) {
		for (i = 0; i < function->counter_count; i++)
			printf("%s%" PRIu64, i % PER_LINE ? " " : i ? "\n  " : "  ", function->counters[i]);
		printf("\n");
	}
	if (choices->bitmaps && function->bitmap_size) {
		printf("  bitmap");
		for (i = 0; i < function->bitmap_size; i++)
			printf(" %02x", function->bitmap[i]);
		printf("\n");
	}
	if (choices->values && function->sites)
		put_values(state, function->sites);
}

static void put_trace(struct show_state *state, const struct trace *trace)
{
	size_t i;

	printf("\ntrace of %zu function%s, weight %" PRIu64 "\n", trace->count, plural(trace->count), trace->weight);
	for (i = 0; i < trace->count; i++) {
		printf("  ");
		put_target(state, 0, trace->references[i]);
	}
}

/* Prints the names of the listed functions. Functions with the same name are neighbours if they are sorted by name. */
static void put_names(const struct show_state *state)
{
	struct bytes last = {NULL, 0};
	size_t i;

	for (i = 0; i < state->listed_count; i++) {
		struct bytes name = state->listed[i].function->name;

		if (i && bytes_equal(name, last))
			continue;
		print_safe(name);
		printf("\n");
		last = name;
	}
}

void show_text(struct show_state *state)
{
	size_t i;

	if (state->choices.covered) {
		put_names(state);
		return;
	}
	if (state->form == FORMAT_RAW) {
		raw_heads(state);
	} else if (state->form == FORMAT_INDEXED) {
		indexed_head(state);
	} else {
		printf("text:        .proftext\n");
		put_kind(state->model.variants);
	}
	if (!state->correlated)
		put_totals(state);
	if (state->choices.summary) {
		put_summary("summary", &state->summary);
		if (state->model.variants & BAREPROF_VARIANT_CSIR)
			put_summary("summary of context-sensitive functions", &state->context_sensitive);
	}
	if (state->choices.traces && !state->model.traces.count)
		printf("\nno traces: only temporal profiles have them\n");
	for (i = 0; state->choices.traces && i < state->model.traces.count; i++)
		put_trace(state, &state->model.traces.list[i]);
	for (i = 0; i < state->listed_count; i++)
		put_function(state, &state->listed[i]);
}
