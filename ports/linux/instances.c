// SPDX-License-Identifier: BSD-2-Clause
/*
 * instances.c - one image, from the time it is loaded until its counts are dropped.
 */
#include <linux/align.h>
#include <linux/elf.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "instances.h"

/* The number of value nodes to add for each value site, besides the nodes for which the compiler reserved memory. */
#define NODES_PER_SITE 2

/*
 * Starts recording values. If @goes is true, the image can be unloaded, and then its memory is freed. So in this case,
 * the function does not use the nodes in the image's own memory.
 */
static int note_values(struct instance *instance, bool goes)
{
	struct bareprof_image *image = &instance->image;
	size_t n = image->section[BAREPROF_VALS].size / sizeof(void *) * NODES_PER_SITE;

	if (goes) {
		n += image->section[BAREPROF_VNDS].size / sizeof(struct bareprof_node);
		image->section[BAREPROF_VNDS].size = 0;
	}
	instance->nodes = kvmalloc_array(n, sizeof(struct bareprof_node), GFP_KERNEL);
	if (!instance->nodes)
		return BAREPROF_E_NO_SPACE;
	return bareprof_values_start(&instance->values, image, instance->nodes, n);
}

/*
 * Initializes the image with the version word that the module's objects contain. If this word does not contain the raw
 * version, learn_once() adds the raw version that the module's compiler writes. If the records do not fit that raw
 * version, learn_once() leaves it out again, and bareprof_image_init() finds out the raw version.
 */
static int learn_once(struct instance *instance)
{
	const struct bareprof_unit *unit = instance->unit;
	uint64_t declared = unit->version ? *unit->version : 0;
	uint32_t producer = (uint32_t)declared ? 0 : unit->producer;
	int error = bareprof_image_init(&instance->image, declared | producer);

	return error == BAREPROF_E_VERSION && producer ? bareprof_image_init(&instance->image, declared) : error;
}

/* Finds out the layout of the image, and repairs the records of weak duplicates, which kernels often have. */
static int learn(struct instance *instance)
{
	int error = learn_once(instance);

	if (error == BAREPROF_E_OVERLAP && bareprof_fix_weak_duplicates(&instance->image) > 0)
		return learn_once(instance);
	return error;
}

struct instance *bareprof_instance_new(const struct bareprof_unit *unit, bool goes, int *error)
{
	struct instance *instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	struct bareprof_dump dump;
	uint32_t record;
	unsigned int i;

	if (!instance)
		return NULL;
	instance->unit = unit;
	instance->number = -1;
	for (i = 0; i < BAREPROF_ALL_SECTIONS; i++) {
		instance->image.section[i].start = unit->section[i].start;
		instance->image.section[i].size = unit->section[i].stop - unit->section[i].start;
	}
	*error = learn(instance);
	if (*error == BAREPROF_E_RECORD)
		*error = bareprof_diagnose(&instance->image, &record);
	if (!*error && instance->image.value_sites)
		*error = note_values(instance, goes);
	/*
	 * An image without records or names cannot be read. bareprof_open() reports missing records. No other check is
	 * necessary, because an image with records also has names.
	 */
	if (!*error && bareprof_open(&dump, &instance->image) == BAREPROF_E_NO_RECORDS)
		*error = BAREPROF_E_NO_RECORDS;
	return instance;
}

void bareprof_find_build_id(struct bareprof_image *image, const void *notes, size_t size)
{
	while (size > sizeof(Elf32_Nhdr)) { /* Elf32_Nhdr and Elf64_Nhdr have the same layout */
		const Elf32_Nhdr *note = notes;
		size_t n = sizeof(*note) + ALIGN(note->n_namesz, 4) + ALIGN(note->n_descsz, 4);

		if (n > size)
			return;
		/* Xen also has a note of this type, in front of the build id. */
		if (note->n_namesz == sizeof("GNU") && !memcmp(note + 1, "GNU", sizeof("GNU")) &&
			!bareprof_build_id(image, notes, n))
			return;
		notes += n;
		size -= n;
	}
}

void bareprof_instance_identify(struct instance *instance, const void *notes, size_t size)
{
	struct bareprof_image *image = &instance->image;
	struct bareprof_values *values = image->values;
	size_t generation = image->generation;
	size_t releases = image->releases;

	bareprof_find_build_id(image, notes, size);
	/*
	 * The header of the raw profile depends on the build id. So initialize the image again, now with the build id.
	 */
	learn(instance);
	image->values = values;
	image->generation = generation;
	image->releases = releases;
}

static void *start_of(const struct instance *instance, unsigned int section)
{
	return (void *)instance->image.section[section].start;
}

static size_t size_of(const struct instance *instance, unsigned int section)
{
	return instance->image.section[section].size;
}

/* Returns true if both loads have the same functions with the same numbers of counters, in the same order. */
static bool same_functions(const struct instance *instance, const struct instance *kept)
{
	const u32 version = (u32)instance->image.version;
	const u32 step = BAREPROF_RECORD_SIZE(version, (u32)sizeof(void *));
	const u32 counters = BAREPROF_RECORD_NUM_COUNTERS(version, (u32)sizeof(void *));
	const char *a = start_of(instance, BAREPROF_DATA);
	const char *b = start_of(kept, BAREPROF_DATA);
	size_t i;

	if (instance->image.version != kept->image.version)
		return false;
	for (i = BAREPROF_DATA; i <= BAREPROF_NAMES; i++)
		if (size_of(instance, i) != size_of(kept, i))
			return false;
	/* A record begins with the hash of the name and the structural hash. */
	for (i = 0; i < instance->image.records; i++, a += step, b += step)
		if (memcmp(a, b, BAREPROF_RECORD_COUNTER_PTR) || memcmp(a + counters, b + counters, sizeof(u32)))
			return false;
	return true;
}

bool bareprof_instance_adopt_counts(struct instance *instance, const struct instance *kept)
{
	if (instance->number >= 0 || instance->image.value_sites || !same_functions(instance, kept))
		return false;
	memcpy(start_of(instance, BAREPROF_CNTS), start_of(kept, BAREPROF_CNTS), size_of(instance, BAREPROF_CNTS));
	memcpy(start_of(instance, BAREPROF_BITS), start_of(kept, BAREPROF_BITS), size_of(instance, BAREPROF_BITS));
	instance->image.generation = kept->image.generation;
	instance->number = kept->image.number;
	return true;
}

/*
 * Makes the copied records point to the copied list heads. Before this call they still point to the
 * original list heads.
 */
static void move_heads(const struct instance *instance, ptrdiff_t distance)
{
	char *record = start_of(instance, BAREPROF_DATA);
	size_t i;

	for (i = 0; i < instance->image.records; i++, record += instance->values.record_size) {
		char **heads = (char **)(record + instance->values.heads_at);

		if (*heads)
			*heads += distance;
	}
}

bool bareprof_instance_keep(struct instance *instance)
{
	struct bareprof_slice *section = instance->image.section;
	bool values = instance->image.values;
	ptrdiff_t moved = 0;
	size_t n = 0;
	unsigned int i;
	char *to;

	for (i = 0; i < BAREPROF_VNDS; i++)
		n += ALIGN(section[i].size, 8);
	if (values)
		bareprof_values_remove(&instance->values);
	to = kvmalloc(n, GFP_KERNEL);
	if (!to)
		return false;
	instance->kept = to;
	for (i = 0; i < BAREPROF_VNDS; i++) {
		memcpy(to, section[i].start, section[i].size);
		if (i == BAREPROF_VALS)
			moved = to - (const char *)section[i].start;
		section[i].start = to;
		to += ALIGN(section[i].size, 8);
	}
	if (values) {
		move_heads(instance, moved);
		instance->image.values = &instance->values;
		bareprof_values_hold(&instance->values, 1);
	}
	return true;
}

void bareprof_instance_end(struct instance *instance)
{
	if (instance->values.image)
		bareprof_values_remove(&instance->values);
}

void bareprof_instance_free(struct instance *instance)
{
	/*
	 * Another CPU may have been recording a value when the module was unloaded. This CPU may still be using the
	 * nodes, so wait before the nodes are freed.
	 */
	if (instance->values.image)
		synchronize_rcu_tasks();
	kvfree(instance->nodes);
	kvfree(instance->kept);
	kfree(instance);
}
