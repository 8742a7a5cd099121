// SPDX-License-Identifier: BSD-2-Clause
/*
 * loads.c - one image from its beginning to its end.
 */
#include <linux/align.h>
#include <linux/elf.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "loads.h"

/* Nodes beside those that the compiler made room for, for each site of values. */
#define NODES_PER_SITE 2

/* Of a module no node is used that would go with it. */
static int note_values(struct load *load, bool goes)
{
	struct bareprof_image *image = &load->image;
	size_t n = image->section[BAREPROF_VALS].size / sizeof(void *) * NODES_PER_SITE;

	if (goes) {
		n += image->section[BAREPROF_VNDS].size / sizeof(struct bareprof_node);
		image->section[BAREPROF_VNDS].size = 0;
	}
	load->nodes = kvmalloc_array(n, sizeof(struct bareprof_node), GFP_KERNEL);
	if (!load->nodes)
		return BAREPROF_E_NO_SPACE;
	return bareprof_values_start(&load->values, image, load->nodes, n);
}

/* The version word; the compiler of the unit decides what the objects leave open. */
static int learn_once(struct load *load)
{
	const struct bareprof_unit *unit = load->unit;
	uint64_t declared = unit->version ? *unit->version : 0;
	uint32_t producer = (uint32_t)declared ? 0 : unit->producer;
	int error = bareprof_image_init(&load->image, declared | producer);

	return error == BAREPROF_E_VERSION && producer ? bareprof_image_init(&load->image, declared) : error;
}

/* Weak functions of an architecture are often declared so where it defines them too. */
static int learn(struct load *load)
{
	int error = learn_once(load);

	return error == BAREPROF_E_OVERLAP && bareprof_fix_weak_duplicates(&load->image) > 0 ? learn_once(load) : error;
}

struct load *bareprof_load_new(const struct bareprof_unit *unit, bool goes, int *error)
{
	struct load *load = kzalloc(sizeof(*load), GFP_KERNEL);
	struct bareprof_dump dump;
	uint32_t record;
	unsigned int i;

	if (!load)
		return NULL;
	load->unit = unit;
	load->number = -1;
	for (i = 0; i < BAREPROF_ALL_SECTIONS; i++) {
		load->image.section[i].start = unit->section[i].start;
		load->image.section[i].size = unit->section[i].stop - unit->section[i].start;
	}
	*error = learn(load);
	if (*error == BAREPROF_E_RECORD)
		*error = bareprof_diagnose(&load->image, &record);
	if (!*error && load->image.value_sites)
		*error = note_values(load, goes);
	/* It has names too, if this is all that is wrong before a read. */
	if (!*error && bareprof_open(&dump, &load->image) == BAREPROF_E_NO_RECORDS)
		*error = BAREPROF_E_NO_RECORDS;
	return load;
}

void bareprof_load_identify(struct load *load, const void *notes, size_t size)
{
	struct bareprof_image *image = &load->image;
	struct bareprof_values *values = image->values;
	size_t generation = image->generation;
	size_t releases = image->releases;

	while (size > sizeof(Elf32_Nhdr)) { /* the same for 64 bits */
		const Elf32_Nhdr *note = notes;
		size_t n = sizeof(*note) + ALIGN(note->n_namesz, 4) + ALIGN(note->n_descsz, 4);

		if (n > size)
			return;
		if (!bareprof_build_id(image, notes, n))
			break;
		notes += n;
		size -= n;
	}
	/* It is in the header too: learn the image once more. */
	learn(load);
	image->values = values;
	image->generation = generation;
	image->releases = releases;
}

static void *start_of(const struct load *load, unsigned int section)
{
	return (void *)load->image.section[section].start;
}

static size_t size_of(const struct load *load, unsigned int section)
{
	return load->image.section[section].size;
}

/* The same functions with the same counters, in the same order. */
static bool same_functions(const struct load *load, const struct load *kept)
{
	const u32 version = (u32)load->image.version;
	const u32 step = BAREPROF_RECORD_SIZE(version, (u32)sizeof(void *));
	const u32 counters = BAREPROF_RECORD_NUM_COUNTERS(version, (u32)sizeof(void *));
	const char *a = start_of(load, BAREPROF_DATA);
	const char *b = start_of(kept, BAREPROF_DATA);
	size_t i;

	if (load->image.version != kept->image.version)
		return false;
	for (i = BAREPROF_DATA; i <= BAREPROF_NAMES; i++)
		if (size_of(load, i) != size_of(kept, i))
			return false;
	/* Hashes of the name and of the control flow come first. */
	for (i = 0; i < load->image.records; i++, a += step, b += step)
		if (memcmp(a, b, BAREPROF_RECORD_COUNTER_PTR) || memcmp(a + counters, b + counters, sizeof(u32)))
			return false;
	return true;
}

bool bareprof_load_goes_on(struct load *load, const struct load *kept)
{
	if (load->number >= 0 || load->image.value_sites || !same_functions(load, kept))
		return false;
	memcpy(start_of(load, BAREPROF_CNTS), start_of(kept, BAREPROF_CNTS), size_of(load, BAREPROF_CNTS));
	memcpy(start_of(load, BAREPROF_BITS), start_of(kept, BAREPROF_BITS), size_of(load, BAREPROF_BITS));
	load->image.generation = kept->image.generation;
	load->number = kept->image.number;
	return true;
}

/* Records that are copied have their list heads in the copy as well. */
static void move_heads(const struct load *load, ptrdiff_t distance)
{
	char *record = start_of(load, BAREPROF_DATA);
	size_t i;

	for (i = 0; i < load->image.records; i++, record += load->values.record_size) {
		char **heads = (char **)(record + load->values.heads_at);

		if (*heads)
			*heads += distance;
	}
}

bool bareprof_load_keep(struct load *load)
{
	struct bareprof_slice *section = load->image.section;
	bool values = load->image.values;
	ptrdiff_t moved = 0;
	size_t n = 0;
	unsigned int i;
	char *to;

	for (i = 0; i < BAREPROF_VNDS; i++)
		n += ALIGN(section[i].size, 8);
	if (values)
		bareprof_values_remove(&load->values);
	to = kvmalloc(n, GFP_KERNEL);
	if (!to)
		return false;
	load->kept = to;
	for (i = 0; i < BAREPROF_VNDS; i++) {
		memcpy(to, section[i].start, section[i].size);
		if (i == BAREPROF_VALS)
			moved = to - (const char *)section[i].start;
		section[i].start = to;
		to += ALIGN(section[i].size, 8);
	}
	if (values) {
		move_heads(load, moved);
		load->image.values = &load->values;
		bareprof_values_hold(&load->values, 1);
	}
	return true;
}

void bareprof_load_end(struct load *load)
{
	if (load->values.image)
		bareprof_values_remove(&load->values);
}

void bareprof_load_free(struct load *load)
{
	/* Somebody who was noting a value when it went may still look at it. */
	if (load->values.image)
		synchronize_rcu_tasks();
	kvfree(load->nodes);
	kvfree(load->kept);
	kfree(load);
}
