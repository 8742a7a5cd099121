/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * valuedata.c - the last part of a .profraw: for each record that has value sites
 * which values were seen there, and how often.
 */
#include "valuedata.h"

#if BAREPROF_SERVES_VALUES

/* What is wanted, and how far it has come. */
struct reading {
	size_t offset; /* in what is still to pass */
	size_t room;
	size_t put;
	uint8_t *to; /* NULL: only counted */
	unsigned int parts;
};

/* The next @size bytes are those at @from, if they are of this part. */
static void pass(struct reading *r, unsigned int part, const void *from, size_t size)
{
	if (!(r->parts & part))
		return;
	if (r->offset >= size) {
		r->offset -= size;
		return;
	}
	size -= r->offset;
	if (size > r->room)
		size = r->room;
	if (r->to)
		bareprof_copy(r->to + r->put, (const uint8_t *)from + r->offset, size);
	r->put += size;
	r->room -= size;
	r->offset = 0;
}

/* The sites of a record; returns how many kinds there are of them. */
static uint32_t pass_sites(struct reading *r, const struct bareprof_values *values, const uint8_t *record)
{
	const bareprof_sites *sites = bareprof_sites_of(values, record);
	bareprof_heads heads = *bareprof_heads_of(values, record);
	uint32_t kinds = 0;
	uint32_t field[2];
	uint32_t i;

	for (field[0] = 0; field[0] <= values->image->facts.last_kind; field[0]++) {
		field[1] = sites[field[0]];
		if (!field[1])
			continue;
		kinds++;
		pass(r, BAREPROF_PART_HEADERS, field, 8);
		for (i = 0; i < field[1]; i++) {
			const struct bareprof_node *node = heads[i];
			uint8_t n = 0; /* as lists have at most 255 */

			for (; node; node = node->next)
				n++;
			pass(r, BAREPROF_PART_COUNTS, &n, 1);
		}
		pass(r, BAREPROF_PART_HEADERS, &values->image->facts.zero, BAREPROF_PAD8(field[1]));
		for (i = field[1]; i; i--) {
			const struct bareprof_node *node = *heads++;

			for (; node; node = node->next)
				pass(r, BAREPROF_PART_NODES, node, 16);
		}
	}
	return kinds;
}

size_t bareprof_read_values(
	const struct bareprof_image *image, unsigned int parts, size_t offset, uint8_t *to, size_t n)
{
	const uint8_t *record = image->section[BAREPROF_DATA].start;
	struct reading r = {offset, n, 0, to, parts};
	size_t i;

	for (i = image->records; i && r.room; i--) {
		struct reading all = {0, ~(size_t)0, 0, NULL, parts};
		uint32_t field[2];

		field[1] = pass_sites(&all, image->values, record);
		field[0] = (uint32_t)all.put + 8;
		if (field[1])
			pass(&r, BAREPROF_PART_HEADERS, field, 8);
		/* What is not to be copied need not be looked at again. */
		if (!to || all.put <= r.offset)
			pass(&r, parts, record, all.put);
		else
			pass_sites(&r, image->values, record);
		record += image->values->record_size;
		BAREPROF_YIELD();
	}
	return r.put;
}

#endif
