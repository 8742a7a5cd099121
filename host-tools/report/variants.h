/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * variants.h - functions of one name that are not the same in several programs.
 * llvm-cov would show the first of them alone, and llvm-profdata would add their
 * counts if they only look alike; with names of their own they are shown as the
 * instances of a template are.
 */
#ifndef BAREPROF_HOST_VARIANTS_H
#define BAREPROF_HOST_VARIANTS_H

#include "covmap.h"

/*
 * variants_find - fill in the renames of @count mappings: in all but the first
 * that has it, a function that is not the same is called "name (2)", and so on.
 * Returns how many functions have variants.
 */
size_t variants_find(struct covmap *covmaps, size_t count);

/* variants_rename - append @text, a profile in llvm-profdata's text form, to @output with the renames of @covmap done. */
void variants_rename(const struct covmap *covmap, struct bytes text, struct buffer *output);

#endif
