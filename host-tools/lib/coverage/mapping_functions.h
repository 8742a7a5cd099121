/* SPDX-License-Identifier: BSD-2-Clause */
/* mapping_functions.h - finds the functions of a profile to which the records of a mapping belong. */
#ifndef BAREPROF_HOST_MAPPING_FUNCTIONS_H
#define BAREPROF_HOST_MAPPING_FUNCTIONS_H

#include "mapping.h"
#include "model.h"

/*
 * mapping_functions - returns, for each record in mapping->records, the function of @model with its name hash and structural
 * hash, or NULL. If @renamed is true, a function in mapping->renames is searched for by its new name. The caller frees the
 * list, which is valid until the next change of @model.
 */
struct function **mapping_functions(const struct mapping *mapping, struct model *model, bool renamed);

#endif
