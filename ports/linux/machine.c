// SPDX-License-Identifier: BSD-2-Clause
/*
 * machine.c - the machine profile of an image: see machine.h.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "instances.h"
#include "machine.h"

static void set_bounds(struct bareprof_slice *section, const struct bareprof_bounds *bounds)
{
	section->start = bounds->start;
	section->size = bounds->stop - bounds->start;
}

struct machine *bareprof_machine_new(const struct bareprof_unit *unit, bool *no_memory)
{
	struct bareprof_image image = {};
	struct machine *machine;

	set_bounds(&image.section[BAREPROF_MIP_COVERAGE], &unit->machine_coverage);
	set_bounds(&image.section[BAREPROF_MIP_CALLS], &unit->machine_calls);
	if (bareprof_mip_image_init(&image))
		return NULL;
	machine = kzalloc(sizeof(*machine), GFP_KERNEL);
	if (!machine) {
		*no_memory = true;
		return NULL;
	}
	machine->image = image;
	machine->image.live = &machine->image;
	return machine;
}

void bareprof_machine_identify(struct machine *machine, const void *notes, size_t size)
{
	bareprof_find_build_id(&machine->image, notes, size);
	bareprof_mip_image_init(&machine->image);
}

static void add_coverage(u8 *to, const u8 *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (from[i] != BAREPROF_MIP_START)
			WRITE_ONCE(to[i], from[i]);
}

/*
 * Adds the calls of one function. Its order becomes that of the earlier load. If another CPU calls the function for
 * the first time at the same moment, it may overwrite this order.
 */
static void add_entry(u32 *to, const u32 *from)
{
	u32 order = READ_ONCE(to[1]);
	u32 overflows = from[1] >> BAREPROF_MIP_OVERFLOW_SHIFT;

	if (from[1] != BAREPROF_MIP_ORDER_NONE) {
		if (order != BAREPROF_MIP_ORDER_NONE)
			overflows = min(overflows + (order >> BAREPROF_MIP_OVERFLOW_SHIFT), BAREPROF_MIP_OVERFLOW_MAX);
		WRITE_ONCE(to[1], (from[1] & BAREPROF_MIP_ORDER_MASK) | overflows << BAREPROF_MIP_OVERFLOW_SHIFT);
	}
	/* The count starts at -1. */
	atomic_add((int)(from[0] + 1), (atomic_t *)to);
}

static bool same_bytes(const struct bareprof_slice *a, const struct bareprof_slice *b)
{
	return a->size == b->size && !memcmp(a->start, b->start, a->size);
}

bool bareprof_machine_add(struct machine *machine, const struct machine *kept)
{
	const struct bareprof_slice *to = machine->image.section;
	const struct bareprof_slice *from = kept->image.section;
	const struct bareprof_slice *calls = &to[BAREPROF_MIP_CALLS];
	size_t i;

	if (!to[BAREPROF_BUILD_ID].size || !same_bytes(&to[BAREPROF_BUILD_ID], &from[BAREPROF_BUILD_ID]))
		return false;
	for (i = BAREPROF_MIP_COVERAGE; i <= BAREPROF_MIP_CALLS; i++)
		if (to[i].size != from[i].size)
			return false;
	add_coverage((u8 *)to[BAREPROF_MIP_COVERAGE].start, from[BAREPROF_MIP_COVERAGE].start,
		to[BAREPROF_MIP_COVERAGE].size);
	for (i = 0; i < calls->size; i += BAREPROF_MIP_CALLS_SIZE)
		add_entry(
			(u32 *)((u8 *)calls->start + i), (const u32 *)((const u8 *)from[BAREPROF_MIP_CALLS].start + i));
	machine->image.generation = kept->image.generation;
	return true;
}

bool bareprof_machine_keep(struct machine *machine)
{
	struct bareprof_slice *section = machine->image.section;
	size_t n = 0;
	unsigned int i;
	u8 *to;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		n += ALIGN(section[i].size, 8);
	to = kvmalloc(n, GFP_KERNEL);
	if (!to)
		return false;
	machine->loaded = machine->image;
	machine->image.live = &machine->loaded;
	machine->kept = to;
	for (i = 0; i < BAREPROF_SECTIONS; i++) {
		memcpy(to, section[i].start, section[i].size);
		section[i].start = to;
		to += ALIGN(section[i].size, 8);
	}
	return true;
}

void bareprof_machine_free(struct machine *machine)
{
	if (machine)
		kvfree(machine->kept);
	kfree(machine);
}
