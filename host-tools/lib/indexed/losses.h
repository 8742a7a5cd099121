/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * losses.h - what of a profile a form has no place for.
 */
#ifndef BAREPROF_HOST_LOSSES_H
#define BAREPROF_HOST_LOSSES_H

#include "model.h"

/* What stands in text for a value that is no function of the profile. */
#define TEXT_UNKNOWN "** External Symbol **"

/*
 * losses_of - append to @text, as words, what index version @version, or text (0),
 * cannot say of @model, which must be sorted; nothing if all is well. That text
 * has neither build ids nor the entry-only bit nor names of vtables is not told:
 * nobody expects them there.
 */
void losses_of(struct model *model, unsigned int version, struct buffer *text);

#endif
