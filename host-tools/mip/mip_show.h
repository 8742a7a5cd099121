/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_show.h - declarations that the parts of `bareprof mip show` share. */
#ifndef BAREPROF_HOST_MIP_SHOW_H
#define BAREPROF_HOST_MIP_SHOW_H

#include "mip_sources.h"

/* The functions that are shown, and what is shown of them. */
struct mip_shown {
	const struct mip_profile *profile;
	const struct mip_sources *sources;
	size_t *list; /* indices of the functions, in the order in which they are shown */
	size_t count;
	bool mangled; /* true: names are printed as they are in the symbol table */
	bool has_elf; /* true: the source files were looked for */
};

/* Totals of all functions of a profile, whether they are shown or not. */
struct mip_totals {
	size_t functions; /* functions that are not left out */
	size_t ran;
	size_t left_out;
	size_t unknown; /* the profile does not say whether these functions ran */
	uint64_t calls;
};

struct mip_totals mip_count(const struct mip_profile *profile);

/*
 * mip_shown_blocks - sets *@blocks to the blocks of @function as they are shown: each offset once, in the order of the
 * table of blocks, without the entry block. A block ran if one of the blocks with its offset did. Returns the number of
 * blocks. The caller frees *@blocks.
 */
uint32_t mip_shown_blocks(const struct mip_function *function, struct mip_block **blocks);

/* mip_mean_order - returns the mean of the orders of the first call, or 0 if no order is known. */
double mip_mean_order(const struct mip_function *function);
/*
 * mip_compare_orders - compares two functions by the mean of their orders, as a function for qsort() does. Functions
 * whose order is not known come after all others.
 */
int mip_compare_orders(const struct mip_function *a, const struct mip_function *b);

/* mip_show_text, mip_show_left_out, mip_show_json - print to standard output. */
void mip_show_text(const struct mip_shown *shown);
void mip_show_left_out(const struct mip_shown *shown);
void mip_show_json(const struct mip_shown *shown);

#endif
