/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * culprits.h - whose some of the records are: the functions, and the source files they
 * are from as far as a coverage mapping tells.
 */
#ifndef BAREPROF_HOST_CULPRITS_H
#define BAREPROF_HOST_CULPRITS_H

#include "check.h"
#include "units.h"

/* A list of words, each once as far as they stand together. */
struct words {
	char **list;
	size_t count;
	size_t room;
};

/* From whose_start() to whose_end(). */
struct whose {
	const struct check *check;
	struct units units;
	struct words files;
	struct words functions;
};

void whose_start(struct whose *whose, const struct check *check);
void whose_add(struct whose *whose, const struct record *record);
/* whose_say - the first few, as "of FUNCTIONS, from FILES". */
void whose_say(const struct whose *whose, struct buffer *text);
/* whose_mend - have @finding name the first function, and say what to compile again. */
void whose_mend(const struct whose *whose, struct finding *finding);
void whose_end(struct whose *whose);

#endif
