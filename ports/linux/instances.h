/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instances.h - within the Linux port: one image, from when it is loaded until nobody wants
 * to know any more what it counted. All of it may sleep.
 */
#ifndef BAREPROF_INSTANCES_H
#define BAREPROF_INSTANCES_H

#include "bareprof.h"
#include "unit.h"

/* The kernel, or a module that was loaded once; loaded again it is another instance. */
struct instance {
	struct bareprof_set_member member;
	struct bareprof_image image;
	struct bareprof_values values;
	const struct bareprof_unit *unit; /* gone when the module is */
	void *nodes; /* memory for values */
	void *kept; /* copies of its sections, when it has gone */
	int number; /* of the image whose counts it adopted, -1: none */
	struct instance *next_retired; /* of those that nobody reads any more */
};

/*
 * bareprof_instance_new - describe what @unit bounds, of which no code runs yet, and note its
 * values from now on. Its values outlast its memory if @goes is set.
 *
 * Returns NULL for want of memory. *@error is an enum bareprof_error: what is wrong with
 * the image, of which nothing can be read then.
 */
struct instance *bareprof_instance_new(const struct bareprof_unit *unit, bool goes, int *error);

/*
 * bareprof_instance_identify - the build id is in one of the ELF notes in the @size bytes at
 * @notes. Not once it was opened.
 */
void bareprof_instance_identify(struct instance *instance, const void *notes, size_t size);

/*
 * bareprof_instance_adopt_counts - let @instance begin with the counts of @kept, if both have the
 * same counters: it then is what @kept was. Not with value profiling, as the values of
 * @kept are addresses that may belong to others now.
 */
bool bareprof_instance_adopt_counts(struct instance *instance, const struct instance *kept);

/* bareprof_instance_keep - copy all that is read of @instance, whose memory goes. False for want of memory. */
bool bareprof_instance_keep(struct instance *instance);

/* bareprof_instance_end - nobody reads @instance any more, and its values are not noted. */
void bareprof_instance_end(struct instance *instance);

/* bareprof_instance_free - one that has ended. It may take seconds until no CPU looks at it. */
void bareprof_instance_free(struct instance *instance);

#endif
