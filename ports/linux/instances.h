/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instances.h - internal to the Linux port: one image, from the time it is loaded until its
 * counts are dropped. All functions in this file may sleep.
 */
#ifndef BAREPROF_INSTANCES_H
#define BAREPROF_INSTANCES_H

#include "bareprof.h"
#include "unit.h"

/* The kernel, or one load of a module. A module that is loaded again is a new instance. */
struct instance {
	struct bareprof_set_member member;
	struct bareprof_image image;
	struct bareprof_values values;
	const struct bareprof_unit *unit; /* the image's bounds; in the module's memory, so invalid after the unload */
	void *nodes; /* the memory for values */
	void *kept; /* after the module is unloaded: copies of the image's sections */
	int number; /* image number of the load whose counts this instance adopted, or -1 */
	struct instance *next_retired; /* next instance in the list of instances that are not read any more */
};

/*
 * bareprof_instance_new - creates the instance of the image whose bounds are in @unit, and starts to record its values.
 * Call this function before any code of the image runs. Set @goes to true if the image can be unloaded. The values are
 * then stored outside of the image's memory.
 *
 * Returns NULL if there is not enough memory. Sets *@error to an enum bareprof_error. If *@error is
 * not BAREPROF_OK, the function still returns an instance, but nothing can be read from this
 * instance.
 */
struct instance *bareprof_instance_new(const struct bareprof_unit *unit, bool goes, int *error);

/*
 * bareprof_find_build_id - finds the build id among the ELF notes in the @size bytes at @notes, and sets the section
 * BAREPROF_BUILD_ID of *@image to it. Changes nothing if there is none.
 */
void bareprof_find_build_id(struct bareprof_image *image, const void *notes, size_t size);

/*
 * bareprof_instance_identify - finds the build id among the ELF notes in the @size bytes at @notes. Do not call this
 * function after @instance was opened for reading.
 */
void bareprof_instance_identify(struct instance *instance, const void *notes, size_t size);

/*
 * bareprof_instance_adopt_counts - lets @instance begin with the counts, the image number and the generation of @kept,
 * if both instances have the same counters. Returns true if @instance now has these counts. An instance with value
 * profiling never adopts counts, because the values in @kept are addresses, which may now belong to other code.
 */
bool bareprof_instance_adopt_counts(struct instance *instance, const struct instance *kept);

/*
 * bareprof_instance_keep - copies the sections that can be read from @instance, before the image's memory is freed.
 * Returns false if there is not enough memory.
 */
bool bareprof_instance_keep(struct instance *instance);

/* bareprof_instance_end - stops recording values of @instance. No file may be reading @instance during the call. */
void bareprof_instance_end(struct instance *instance);

/*
 * bareprof_instance_free - frees an instance after bareprof_instance_end(). May wait for seconds until no CPU uses the
 * instance's values.
 */
void bareprof_instance_free(struct instance *instance);

#endif
