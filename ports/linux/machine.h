/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - internal to the Linux port: the machine profile of an image, from the time the image is loaded until its
 * profile is dropped. All functions in this file may sleep. The caller holds bareprof_lock.
 *
 * A profile has at most one machine profile, because a .mipraw describes one build. A new load of the same build
 * continues the machine profile of the kept load. A load of another build replaces it.
 */
#ifndef BAREPROF_MACHINE_H
#define BAREPROF_MACHINE_H

#include "bareprof.h"
#include "unit.h"

struct machine {
	struct bareprof_image image;
	struct bareprof_image loaded; /* after the unload: the image as it was, with the addresses of its sections */
	void *kept; /* after the unload: copies of the sections; NULL: the image is loaded */
};

/*
 * bareprof_machine_new - describes the machine profile of the image whose bounds are in @unit. Returns NULL if the
 * image has none. Sets *@no_memory to true and returns NULL if there is not enough memory.
 */
struct machine *bareprof_machine_new(const struct bareprof_unit *unit, bool *no_memory);

/*
 * bareprof_machine_identify - finds the build id among the ELF notes in the @size bytes at @notes, which must stay in
 * place as long as the image.
 */
void bareprof_machine_identify(struct machine *machine, const void *notes, size_t size);

/*
 * bareprof_machine_add - adds what @kept recorded to @machine, whose code may be running. Returns false and adds
 * nothing if they are not of the same build.
 */
bool bareprof_machine_add(struct machine *machine, const struct machine *kept);

/* bareprof_machine_keep - copies the sections before the image's memory is freed. Returns false without memory. */
bool bareprof_machine_keep(struct machine *machine);

/* bareprof_machine_free - frees @machine, which may be NULL. */
void bareprof_machine_free(struct machine *machine);

#endif
