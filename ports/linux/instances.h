/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instances.h - internal to the Linux port: one image, from the time it is loaded until its
 * counts are dropped. All functions here may sleep.
 */
#ifndef BAREPROF_INSTANCES_H
#define BAREPROF_INSTANCES_H

#include "bareprof.h"
#include "unit.h"

/* The kernel, or one load of a module: a module that is loaded again is a new instance. */
struct instance {
	struct bareprof_set_member member;
	struct bareprof_image image;
	struct bareprof_values values;
	const struct bareprof_unit *unit; /* in the module's memory: invalid once the module is unloaded */
	void *nodes; /* memory for values */
	void *kept; /* copies of the image's sections, once the module is unloaded */
	int number; /* image number of the load whose counts this one adopted, or -1 */
	struct instance *next_retired; /* next in the list of instances that nobody reads any more */
};

/*
 * bareprof_instance_new - create the instance of the image whose bounds are in @unit, and
 * record its values from now on. No code of the image may have run yet. Set @goes if the
 * image can be unloaded: its values are then stored outside of its memory.
 *
 * Returns NULL if there is not enough memory. *@error is set to an enum bareprof_error. If
 * it is not BAREPROF_OK, the instance is returned, but nothing can be read from it.
 */
struct instance *bareprof_instance_new(const struct bareprof_unit *unit, bool goes, int *error);

/*
 * bareprof_instance_identify - find the build id among the ELF notes in the @size bytes at
 * @notes. Must not be called after @instance was opened for reading.
 */
void bareprof_instance_identify(struct instance *instance, const void *notes, size_t size);

/*
 * bareprof_instance_adopt_counts - let @instance begin with the counts of @kept, and with its
 * image number and generation, if both have the same counters. Returns whether it did so. An
 * instance with value profiling never does, because the values in @kept are addresses
 * that may belong to other code now.
 */
bool bareprof_instance_adopt_counts(struct instance *instance, const struct instance *kept);

/* bareprof_instance_keep - copy what can be read from @instance before its memory is freed. False: not enough memory. */
bool bareprof_instance_keep(struct instance *instance);

/* bareprof_instance_end - stop recording values of @instance. Nobody may be reading it any more. */
void bareprof_instance_end(struct instance *instance);

/* bareprof_instance_free - free an instance that has ended. May wait seconds until no CPU uses its values. */
void bareprof_instance_free(struct instance *instance);

#endif
