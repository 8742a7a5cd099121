/* SPDX-License-Identifier: BSD-2-Clause */
/* mapping_join.h - finds the functions of a profile to which the records of a mapping belong. */
#ifndef BAREPROF_HOST_MAPPING_JOIN_H
#define BAREPROF_HOST_MAPPING_JOIN_H

#include "mapping.h"
#include "model.h"

/*
 * mapping_join - returns, for each record in mapping->records, the function of @model with its name hash and structural
 * hash, or NULL. @renamed tells whether @model has the functions with their new names in mapping->renames. The caller frees
 * the list, which is valid until the next change of @model.
 */
struct function **mapping_join(const struct mapping *mapping, struct model *model, bool renamed);

#endif
