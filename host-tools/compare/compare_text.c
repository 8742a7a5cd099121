/* SPDX-License-Identifier: BSD-2-Clause */
/* compare_text.c - prints a comparison as text. */
#include "compare.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>

/* Without a choice of the user, this many functions are listed. */
#define LISTED_MAX 10

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? (double)part * 100 / (double)whole : 0;
}

static void put_side(const char *letter, const struct side *side)
{
	const char *name = input_name(side->path);

	printf("%s: ", letter);
	print_safe_text(name);
	printf("%s, %zu function%s", side->is_program ? ", a program" : "", side->count, plural(side->count));
	if (!side->is_program)
		printf(", %" PRIu64 " count%s", side->sum, plural(side->sum));
	printf("\n");
}

static void put_fit(const struct comparison *comparison)
{
	static const char *const text[FITS] = {
		[FIT_SAME] = "fit B",
		[FIT_CHANGED] = "changed",
		[FIT_GONE] = "gone",
	};
	const struct fit_totals *totals = &comparison->of_a;
	enum fit fit;

	printf("\n%-9s %12s %9s %20s\n", "", "functions", "", "counts of A");
	for (fit = FIT_SAME; fit < FIT_NEW; fit++)
		printf("%-9s %12" PRIu64 " %7.3f %% %20" PRIu64 " %7.3f %%\n", text[fit], totals->functions[fit],
			percent(totals->functions[fit], comparison->a.count), totals->counts[fit],
			percent(totals->counts[fit], comparison->a.sum));
	printf("%-9s %12" PRIu64 "\n", "new in B", comparison->of_b.functions[FIT_NEW]);
}

static void put_kind(const char *name, const struct overlap_counts *counts)
{
	if (counts->sum_a < 1 && counts->sum_b < 1)
		return;
	printf("  %-18s %8.3f %% %10.3f %% %8.3f %% %20.0f %20.0f\n", name, counts->both * 100,
		counts->mismatched * 100, counts->only_b * 100, counts->sum_a, counts->sum_b);
}

static void put_overlap(const struct comparison *comparison)
{
	static const char *const kinds[PROFILE_KINDS] = {"indirect calls", "memory operations", "virtual calls"};
	const struct overlap *overlap = &comparison->overlap;
	unsigned int kind;

	if (comparison->b.is_program)
		return;
	if (!overlap->computed) {
		printf("\nno overlap: all counts of %s are 0\n", comparison->a.sum ? "B" : "A");
		return;
	}
	printf("\noverlap, with the numbers of llvm-profdata overlap:\n");
	printf("  %-18s %10s %12s %10s %20s %20s\n", "", "in both", "mismatched", "only in B", "sum of A", "sum of B");
	printf("  %-18s %10" PRIu64 " %12" PRIu64 " %10" PRIu64 "\n", "functions", overlap->both, overlap->mismatched,
		overlap->only_b);
	put_kind("counters", &overlap->edges);
	for (kind = 0; kind < PROFILE_KINDS; kind++)
		put_kind(kinds[kind], &overlap->values[kind]);
}

static void put_pair(const struct comparison *comparison, const struct pair *pair)
{
	static const char *const text[FITS] = {
		[FIT_SAME] = "fits",
		[FIT_CHANGED] = "changed",
		[FIT_GONE] = "gone",
		[FIT_NEW] = "new",
	};

	if (pair->a)
		printf("%20" PRIu64 " %7.3f %%", pair->a->sum, percent(pair->a->sum, comparison->a.sum));
	else
		printf("%20s %9s", "-", "");
	if (pair->b && !comparison->b.is_program)
		printf(" %20" PRIu64, pair->b->sum);
	else if (!comparison->b.is_program)
		printf(" %20s", "-");
	if (pair->overlap >= 0)
		printf(" %7.3f %%", pair->overlap * 100);
	else if (!comparison->b.is_program)
		printf(" %9s", "-");
	printf("  %-7s  ", text[pair->fit]);
	print_safe(pair->a ? pair->a->name : pair->b->name);
	printf("\n");
}

static void put_list(const struct comparison *comparison)
{
	const struct compare_choices *choices = &comparison->choices;
	bool chosen = choices->all || choices->regex || choices->min_count != UINT64_MAX;
	size_t shown = comparison->listed_count;
	size_t i;

	if (choices->top && choices->top < shown)
		shown = (size_t)choices->top;
	else if (!choices->top && !chosen && shown > LISTED_MAX)
		shown = LISTED_MAX;
	if (!shown)
		return;
	printf("\n%s\n%20s %9s",
		chosen ? "functions:" : "functions of A whose counts are lost, highest counts first:", "counts of A",
		"");
	if (!comparison->b.is_program)
		printf(" %20s %9s", "counts of B", "overlap");
	printf("  %-7s  %s\n", "fit", "function");
	for (i = 0; i < shown; i++)
		put_pair(comparison, comparison->listed[i]);
	if (shown < comparison->listed_count)
		printf("%zu more; --top %zu lists them\n", comparison->listed_count - shown, comparison->listed_count);
}

void compare_text(const struct comparison *comparison)
{
	put_side("A", &comparison->a);
	put_side("B", &comparison->b);
	put_fit(comparison);
	put_overlap(comparison);
	put_list(comparison);
}
