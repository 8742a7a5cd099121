/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_serialize.c - the last part of a .profraw: for each record that has value sites
 * which values were seen there, and how often.
 */
#include "values_serialize.h"

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

	for (field[0] = 0; field[0] <= values->image->profraw.last_kind; field[0]++) {
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
		pass(r, BAREPROF_PART_HEADERS, &values->image->profraw.zero_padding, BAREPROF_PAD8(field[1]));
		for (i = field[1]; i; i--) {
			const struct bareprof_node *node = *heads++;

			for (; node; node = node->next)
				pass(r, BAREPROF_PART_NODES, node, 16);
		}
	}
	return kinds;
}

#if __SIZEOF_POINTER__ == 8

struct unaligned_one {
	uint64_t value;
} __attribute__((packed, may_alias));
struct unaligned_pair {
	uint32_t value[2];
} __attribute__((packed, may_alias));

/*
 * All data of a record, if there is room for them: 0 if not, and what is behind r->put is
 * garbage then. pass_record() puts the same, but as it looks at each byte's place takes ten
 * times as long; where code is counted in bytes, that is little beside what sending takes.
 */
static int put_whole(struct reading *r, const struct bareprof_values *values, const uint8_t *record)
{
	const bareprof_sites *sites = bareprof_sites_of(values, record);
	bareprof_heads heads = *bareprof_heads_of(values, record);
	struct unaligned_pair *header;
	uint8_t *to = r->to + r->put;
	const uint8_t *end = to + r->room;
	uint8_t *p = to;
	uint32_t kinds = 0;
	uint32_t kind;
	uint32_t i;

	for (kind = 0; kind <= values->image->profraw.last_kind; kind++) {
		const uint32_t n = sites[kind];
		uint8_t *lengths;

		if (!n)
			continue;
		/* Two headers at most, and the padding. */
		if ((size_t)(end - p) < n + 8 + 8 + 7)
			return 0;
		if (!kinds++)
			p += 8;
		header = (struct unaligned_pair *)p;
		header->value[0] = kind;
		header->value[1] = n;
		lengths = p + 8;
		p = lengths + n + BAREPROF_PAD8(n);
		((struct unaligned_one *)p)[-1].value = 0;
		for (i = 0; i < n; i++) {
			const struct bareprof_node *node = *heads++;
			uint8_t length = 0;

			for (; node; node = node->next) {
				struct unaligned_one *pair = (struct unaligned_one *)p;

				if (end - p < 16)
					return 0;
				pair[0].value = *(const volatile uint64_t *)&node->value;
				pair[1].value = *(const volatile uint64_t *)&node->count;
				p += 16;
				length++;
			}
			lengths[i] = length;
		}
	}
	if (kinds) {
		header = (struct unaligned_pair *)to;
		header->value[0] = (uint32_t)(p - to);
		header->value[1] = kinds;
	}
	r->put += (size_t)(p - to);
	r->room -= (size_t)(p - to);
	return 1;
}

#else
#define put_whole(r, values, record) 0
#endif

static void pass_record(struct reading *r, const struct bareprof_values *values, const uint8_t *record)
{
	struct reading all = {0, ~(size_t)0, 0, NULL, r->parts};
	uint32_t field[2];

	field[1] = pass_sites(&all, values, record);
	field[0] = (uint32_t)all.put + 8;
	if (field[1])
		pass(r, BAREPROF_PART_HEADERS, field, 8);
	/* What is not to be copied need not be looked at again. */
	if (!r->to || all.put <= r->offset)
		pass(r, r->parts, record, all.put);
	else
		pass_sites(r, values, record);
}

size_t bareprof_read_values(
	const struct bareprof_image *image, unsigned int parts, size_t offset, uint8_t *to, size_t n)
{
	const uint8_t *record = image->section[BAREPROF_DATA].start;
	struct reading r = {offset, n, 0, to, parts};
	size_t i;

	for (i = image->records; i && r.room; i--) {
		if (!to || r.offset || parts != BAREPROF_PART_ALL || !put_whole(&r, image->values, record))
			pass_record(&r, image->values, record);
		record += image->values->record_size;
		BAREPROF_YIELD();
	}
	return r.put;
}

#endif
