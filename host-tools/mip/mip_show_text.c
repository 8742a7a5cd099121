/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_show_text.c - prints a machine profile for people. */
#include "mip_show.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The number of blocks in one line. */
#define BLOCKS_PER_LINE 8

struct mip_totals mip_count(const struct mip_profile *profile)
{
	struct mip_totals totals = {0};
	size_t i;

	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];

		totals.functions += function->kinds != 0;
		totals.left_out += function->kinds == 0;
		totals.ran += mip_ran(function);
		totals.unknown += !mip_run_known(function);
		totals.calls = add_saturating(totals.calls, function->calls);
	}
	return totals;
}

double mip_mean_order(const struct mip_function *function)
{
	return function->orders ? (double)function->order_sum / (double)function->orders : 0;
}

int mip_compare_orders(const struct mip_function *a, const struct mip_function *b)
{
	double first = mip_mean_order(a);
	double second = mip_mean_order(b);

	if (!a->orders || !b->orders)
		return compare_uint(!a->orders, !b->orders);
	return first < second ? -1 : first > second;
}

static void put_head(const struct mip_shown *shown, size_t index)
{
	const struct mip_source *source = &shown->sources->list[index];

	print_safe_text(shown->mangled ? (const char *)shown->profile->functions[index].name.data : source->name);
	putchar('\n');
	if (!shown->has_elf)
		return;
	printf("  Source Info: ");
	if (source->file) {
		print_safe_text(source->file);
		printf(":%u\n", source->line);
	} else {
		printf("not known\n");
	}
}

static void put_runs(const struct mip_function *function, uint64_t merged)
{
	if (!mip_run_known(function))
		printf("  Ran: not known\n");
	else if (merged > 1)
		printf("  Ran: in %" PRIu64 " of %" PRIu64 " raw profiles\n", function->runs, merged);
	else
		printf("  Ran: %s\n", mip_ran(function) ? "yes" : "no");
}

static void put_order(const struct mip_function *function)
{
	if (function->orders && function->order_sum % function->orders)
		printf("  Order: %.2f\n", mip_mean_order(function));
	else if (function->orders)
		printf("  Order: %" PRIu64 "\n", function->order_sum / function->orders);
	else if (mip_ran(function))
		printf("  Order: not known\n");
}

/* Returns the word for a block of @function. */
static const char *block_word(const struct mip_function *function, bool ran)
{
	/* If other raw bytes show that the function did not run, a block whose counter is 0 did not run. */
	bool is_known = !(function->kinds & BAREPROF_MIP_KIND_WRAPS) ||
	                (mip_kinds_without_blocks(function->kinds) && !mip_ran(function));

	return ran ? "HOT" : is_known ? "COLD" : "-";
}

static void put_blocks(const struct mip_function *function)
{
	struct mip_block *blocks;
	uint32_t count = mip_shown_blocks(function, &blocks);
	uint32_t i;

	printf("  Block Coverage:");
	/* The first block is the entry of the function, which has no byte of its own. */
	for (i = 0; i <= count; i++) {
		bool ran = i ? blocks[i - 1].ran : mip_ran(function);
		bool is_last = i == count || i % BLOCKS_PER_LINE == BLOCKS_PER_LINE - 1;

		printf(is_last ? "%s%s" : "%s%-5s", i % BLOCKS_PER_LINE ? "" : "\n     ", block_word(function, ran));
	}
	putchar('\n');
	free(blocks);
}

static void put_function(const struct mip_shown *shown, size_t index)
{
	const struct mip_function *function = &shown->profile->functions[index];

	put_head(shown, index);
	put_runs(function, shown->profile->merged);
	if (function->kinds & BAREPROF_MIP_KIND_CALLS) {
		printf("  Call Count: %s%" PRIu64 "\n", function->at_least ? "at least " : "", function->calls);
		put_order(function);
	}
	if (function->block_count || (function->kinds & BAREPROF_MIP_KIND_BLOCKS && !shown->profile->relative))
		put_blocks(function);
	putchar('\n');
}

void mip_show_text(const struct mip_shown *shown)
{
	struct mip_totals totals = mip_count(shown->profile);
	size_t i;

	for (i = 0; i < shown->count; i++)
		put_function(shown, shown->list[i]);
	printf("%zu of %zu functions ran; raw profiles: %" PRIu64, totals.ran, totals.functions,
		shown->profile->merged);
	if (shown->profile->kinds & BAREPROF_MIP_KIND_CALLS)
		printf("; calls: %" PRIu64, totals.calls);
	if (totals.unknown)
		printf("; not known: %zu", totals.unknown);
	if (totals.left_out)
		printf("; %zu more %s left out (--left-out lists %s)", totals.left_out,
			totals.left_out == 1 ? "function is" : "functions are", totals.left_out == 1 ? "it" : "them");
	putchar('\n');
	if (shown->profile->kinds & BAREPROF_MIP_KIND_WRAPS)
		printf("- stands for a block that did not run, or ran a multiple of 256 times\n");
}

void mip_show_left_out(const struct mip_shown *shown)
{
	size_t i;

	for (i = 0; i < shown->count; i++) {
		const struct mip_function *function = &shown->profile->functions[shown->list[i]];

		put_head(shown, shown->list[i]);
		printf("  Left Out: %s\n\n", mip_reason_text(function->reason));
	}
	printf("%zu functions are left out\n", mip_count(shown->profile).left_out);
}
