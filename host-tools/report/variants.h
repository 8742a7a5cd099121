/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * variants.h - finds functions that have the same name in several programs but are different, and renames them. If the
 * functions kept their names, the report would show only the first of them, and would add up the counts of functions
 * whose hashes and numbers of counters are equal. With different names, they are like instantiations of a template.
 */
#ifndef BAREPROF_HOST_VARIANTS_H
#define BAREPROF_HOST_VARIANTS_H

#include "mapping.h"

/*
 * variants_find - fills in the renames of @count mappings. In the first mapping that has a function with a certain
 * name, this function keeps its name. The same function in other mappings keeps the name, too. Different functions with
 * that name are renamed to "name (2)", "name (3)" and so on. Returns the number of names with more than one function.
 * @files are the names of the source files.
 */
size_t variants_find(struct mapping *mappings, size_t count, const struct file_names *files);

#endif
