/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * variants.h - finds functions that have the same name in several programs but are different, and renames them. If the
 * functions kept their names, llvm-cov would show only the first of them. In addition, llvm-profdata would add the
 * counts of functions whose hashes and numbers of counters are equal. With different names, llvm-cov shows them like
 * instances of a template.
 */
#ifndef BAREPROF_HOST_VARIANTS_H
#define BAREPROF_HOST_VARIANTS_H

#include "covmap.h"

/*
 * variants_find - fills in the renames of @count mappings. In the first mapping that has a function with a certain
 * name, this function keeps its name. The same function in other mappings keeps the name, too. Different functions with
 * that name are renamed to "name (2)", "name (3)" and so on. Returns the number of names with more than one function.
 */
size_t variants_find(struct covmap *covmaps, size_t count);

/*
 * variants_rename - appends @text to @output, and renames the functions as @covmap says. @text is a profile in the text
 * format of llvm-profdata.
 */
void variants_rename(const struct covmap *covmap, struct bytes text, struct buffer *output);

#endif
