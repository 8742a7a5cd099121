/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_serialize.c - writes the value data, which are the last part of a .profraw: the
 * values that were seen at the sites of each record, with their counts. A record
 * without value sites has no value data. For a record with value sites, the value
 * data consist of the numbers in this table:
 *
 *	size, kinds       2 u32  BAREPROF_PART_HEADERS   bytes including these two; kinds that have sites
 *	for each such kind:
 *	    kind, sites   2 u32  BAREPROF_PART_HEADERS
 *	    values        u8     BAREPROF_PART_COUNTS    of each site: the length of its list
 *	    padding              BAREPROF_PART_HEADERS   zeros up to a multiple of 8
 *	    value, count  2 u64  BAREPROF_PART_NODES     of each node of each list
 *
 * emit_record() puts any window of these bytes. The caller can request all parts
 * (BAREPROF_PART_...) or some of them. put_whole_record() puts all bytes of a record, and
 * is many times as fast.
 */
#include "values_serialize.h"

#if BAREPROF_SERVES_VALUES

/* The window of bytes that the caller requested, and the number of bytes that are already done. */
struct window {
	size_t skip; /* number of bytes that must still be skipped to reach the window */
	size_t room; /* number of bytes that the window still lacks */
	size_t put;
	uint8_t *to; /* NULL: only count the bytes */
	unsigned int parts;
};

/*
 * Emits the next @size bytes of the value data, which are at @from and belong to @part.
 * If the caller requested @part, copies the bytes that are inside the window.
 */
static void emit(struct window *w, unsigned int part, const void *from, size_t size)
{
	if (!(w->parts & part))
		return;
	if (w->skip >= size) {
		w->skip -= size;
		return;
	}
	size -= w->skip;
	if (size > w->room)
		size = w->room;
	if (w->to)
		bareprof_copy(w->to + w->put, (const uint8_t *)from + w->skip, size);
	w->put += size;
	w->room -= size;
	w->skip = 0;
}

/* Emits a record's value data except size and kinds. Returns the number of kinds that have sites. */
static uint32_t emit_sites(struct window *w, const struct bareprof_values *values, const uint8_t *record)
{
	const bareprof_sites *sites = bareprof_sites_of(values, record);
	bareprof_heads heads = *bareprof_heads_of(values, record);
	uint32_t kinds = 0;
	uint32_t header[2]; /* kind, sites */
	uint32_t i;

	for (header[0] = 0; header[0] <= values->image->profraw.last_kind; header[0]++) {
		header[1] = sites[header[0]];
		if (!header[1])
			continue;
		kinds++;
		emit(w, BAREPROF_PART_HEADERS, header, 8);
		for (i = 0; i < header[1]; i++) {
			const struct bareprof_node *node = heads[i];
			uint8_t length = 0; /* a list has at most 255 nodes */

			for (; node; node = node->next)
				length++;
			emit(w, BAREPROF_PART_COUNTS, &length, 1);
		}
		emit(w, BAREPROF_PART_HEADERS, &values->image->profraw.zero_padding, BAREPROF_PAD8(header[1]));
		for (i = header[1]; i; i--) {
			const struct bareprof_node *node = *heads++;

			for (; node; node = node->next)
				emit(w, BAREPROF_PART_NODES, node, 16);
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

/* Puts the nodes of a list at @p. Returns the end of the nodes, or NULL if they do not fit between @p and @end. */
static uint8_t *put_list(uint8_t *p, const uint8_t *end, const struct bareprof_node *node)
{
	for (; node; node = node->next) {
		struct unaligned_one *pair = (struct unaligned_one *)p;

		if (end - p < 16)
			return NULL;
		pair[0].value = *(const volatile uint64_t *)&node->value;
		pair[1].value = *(const volatile uint64_t *)&node->count;
		p += 16;
	}
	return p;
}

/*
 * Puts all value data of a record into the window. Call it only if there are no bytes to
 * skip. Returns 0 if the window is too small. The bytes after w->put are then garbage.
 *
 * Unlike emit_record(), this function walks each list once instead of four times, and calls
 * no function for a node. So a .profraw with values takes a tenth of the time
 * (bench/values.sh). 32-bit targets use only emit_record(). On these targets the size of
 * the code matters more, and sending takes longer than emit_record().
 */
static int put_whole_record(struct window *w, const struct bareprof_values *values, const uint8_t *record)
{
	const bareprof_sites *sites = bareprof_sites_of(values, record);
	bareprof_heads heads = *bareprof_heads_of(values, record);
	struct unaligned_pair *header;
	uint8_t *start = w->to + w->put;
	const uint8_t *end = start + w->room;
	uint8_t *p = start;
	uint32_t kinds = 0;
	uint32_t kind;
	uint32_t i;

	for (kind = 0; kind <= values->image->profraw.last_kind; kind++) {
		const uint32_t n = sites[kind];
		uint8_t *lengths;

		if (!n)
			continue;
		/* The data before the nodes are at most two headers, the lengths, and 7 bytes of padding. */
		if ((size_t)(end - p) < n + 8 + 8 + 7)
			return 0;
		if (!kinds++)
			p += 8; /* skips size and kinds, which are not known before the end */
		header = (struct unaligned_pair *)p;
		header->value[0] = kind;
		header->value[1] = n;
		lengths = p + 8;
		p = lengths + n + BAREPROF_PAD8(n);
		/* Clears the padding. This may also clear lengths, but lengths are set below. */
		((struct unaligned_one *)p)[-1].value = 0;
		for (i = 0; i < n; i++) {
			uint8_t *nodes = p;

			p = put_list(nodes, end, *heads++);
			if (!p)
				return 0;
			lengths[i] = (uint8_t)((size_t)(p - nodes) >> 4);
		}
	}
	if (kinds) {
		header = (struct unaligned_pair *)start;
		header->value[0] = (uint32_t)(p - start);
		header->value[1] = kinds;
	}
	w->put += (size_t)(p - start);
	w->room -= (size_t)(p - start);
	return 1;
}

#else
#define put_whole_record(w, values, record) 0
#endif

static void emit_record(struct window *w, const struct bareprof_values *values, const uint8_t *record)
{
	struct window count = {.skip = 0, .room = ~(size_t)0, .put = 0, .to = NULL, .parts = w->parts};
	uint32_t header[2]; /* size, kinds */

	/* The header contains the size of the data after the header, so a first pass counts the bytes of this data. */
	header[1] = emit_sites(&count, values, record);
	header[0] = (uint32_t)count.put + 8;
	if (header[1])
		emit(w, BAREPROF_PART_HEADERS, header, 8);
	/*
	 * If none of the bytes after the header has to be copied, emit() needs only the
	 * number of these bytes. It then does not read from @record.
	 */
	if (!w->to || count.put <= w->skip)
		emit(w, w->parts, record, count.put);
	else
		emit_sites(w, values, record);
}

size_t bareprof_read_values(
	const struct bareprof_image *image, unsigned int parts, size_t offset, uint8_t *to, size_t n)
{
	const uint8_t *record = image->section[BAREPROF_DATA].start;
	struct window w = {.skip = offset, .room = n, .put = 0, .to = to, .parts = parts};
	size_t i;

	for (i = image->records; i && w.room; i--) {
		if (!to || w.skip || parts != BAREPROF_PART_ALL || !put_whole_record(&w, image->values, record))
			emit_record(&w, image->values, record);
		record += image->values->record_size;
		BAREPROF_YIELD();
	}
	return w.put;
}

#endif
