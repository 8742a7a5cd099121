/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loads.h - within the Linux port: one image, from when it is loaded until nobody wants
 * to know any more what it counted. All of it may sleep.
 */
#ifndef BAREPROF_LOADS_H
#define BAREPROF_LOADS_H

#include "bareprof.h"
#include "unit.h"

/* The kernel, or a module from one time that it was loaded on. */
struct load {
	struct bareprof_set_member member;
	struct bareprof_image image;
	struct bareprof_values values;
	const struct bareprof_unit *unit; /* gone when the module is */
	void *nodes; /* memory for values */
	void *kept; /* copies of its sections, when it has gone */
	int number; /* of the image that it goes on for, -1: of none */
	struct load *next_dead; /* that nobody reads any more */
};

/*
 * bareprof_load_new - describe what @unit bounds, of which no code runs yet, and note its
 * values from now on. Its values outlast its memory if @goes is set.
 *
 * Returns NULL for want of memory. *@error is an enum bareprof_error: what is wrong with
 * the image, of which nothing can be read then.
 */
struct load *bareprof_load_new(const struct bareprof_unit *unit, bool goes, int *error);

/*
 * bareprof_load_identify - the build id is in one of the ELF notes in the @size bytes at
 * @notes. Not once it was opened.
 */
void bareprof_load_identify(struct load *load, const void *notes, size_t size);

/*
 * bareprof_load_goes_on - let @load begin with the counts of @kept, if each of its counters
 * is one of @kept as well: it then is what @kept was. Not where values are noted, as those
 * of @kept are addresses in memory that is another's now.
 */
bool bareprof_load_goes_on(struct load *load, const struct load *kept);

/* bareprof_load_keep - copy all that is read of @load, whose memory goes. False for want of memory. */
bool bareprof_load_keep(struct load *load);

/* bareprof_load_end - nobody reads @load any more, and its values are not noted. */
void bareprof_load_end(struct load *load);

/* bareprof_load_free - one that has ended. It may take seconds until no CPU looks at it. */
void bareprof_load_free(struct load *load);

#endif
