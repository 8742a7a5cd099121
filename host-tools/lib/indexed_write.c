/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed_write.c - put out an indexed profile. All sizes are known before the
 * first byte is written, so it goes to a pipe as well as to a file.
 */
#include "indexed.h"
#include "buckets.h"
#include "memprof.h"
#include "profiles.h"
#include "summary.h"

#include <stdlib.h>

struct writer {
	const struct model *model;
	struct output *output;
	struct buffer scratch; /* one name and its records */
	struct buckets buckets;
	unsigned int version;
	uint64_t table_end;
};

static void add_number(struct buffer *buffer, uint64_t number, unsigned int width)
{
	uint8_t bytes[8];

	store(bytes, number, width, false);
	buffer_add(buffer, bytes, width);
}

/* The bulk of every file. */
static void add_counters(struct buffer *buffer, const struct function *function)
{
	uint8_t *to;
	uint32_t i;

	buffer_reserve(buffer, 8 * (size_t)function->counter_count);
	to = buffer->data + buffer->size;
	for (i = 0; i < function->counter_count; i++)
		store(to + 8 * (size_t)i, function->counters[i], 8, false);
	buffer->size += 8 * (size_t)function->counter_count;
}

static void add_zeros(struct buffer *buffer, size_t n)
{
	static const uint8_t zeros[8];

	buffer_add(buffer, zeros, n);
}

static void put_number(struct writer *writer, uint64_t number)
{
	struct buffer *scratch = &writer->scratch;

	scratch->size = 0;
	add_number(scratch, number, 8);
	output_put(writer->output, scratch->data, 8);
}

/* The kinds of values that the readers of this version know. */
static unsigned int kinds_of(unsigned int version)
{
	return version >= INDEXED_VTABLES ? 3 : 2;
}

static uint64_t kind_size(const struct sites *sites, unsigned int kind)
{
	uint64_t size = VALUE_HEAD + sites->count[kind] + BAREPROF_PAD8((uint64_t)sites->count[kind]);
	uint32_t i;

	for (i = 0; i < sites->count[kind]; i++)
		size += sites->site[kind][i].count * VALUE_PAIR;
	return size;
}

static uint64_t values_size(const struct function *function, unsigned int version)
{
	uint64_t size = VALUE_HEAD;
	unsigned int kind;

	for (kind = 0; function->sites && kind < kinds_of(version); kind++)
		if (function->sites->count[kind])
			size += kind_size(function->sites, kind);
	return size;
}

static uint64_t record_size(const struct function *function, unsigned int version)
{
	uint64_t size = 16 + 8 * (uint64_t)function->counter_count + values_size(function, version);

	if (version >= INDEXED_BITMAPS)
		size += 8 + 8 * (uint64_t)function->bitmap_size;
	return size;
}

static void add_values(struct buffer *buffer, const struct function *function, unsigned int version)
{
	const struct sites *sites = function->sites;
	unsigned int kinds = 0;
	unsigned int kind;
	uint32_t i;
	size_t j;

	for (kind = 0; sites && kind < kinds_of(version); kind++)
		kinds += sites->count[kind] != 0;
	add_number(buffer, values_size(function, version), 4);
	add_number(buffer, kinds, 4);
	for (kind = 0; sites && kind < kinds_of(version); kind++) {
		if (!sites->count[kind])
			continue;
		add_number(buffer, kind, 4);
		add_number(buffer, sites->count[kind], 4);
		for (i = 0; i < sites->count[kind]; i++)
			add_number(buffer, sites->site[kind][i].count, 1);
		add_zeros(buffer, BAREPROF_PAD8(sites->count[kind]));
		for (i = 0; i < sites->count[kind]; i++)
			for (j = 0; j < sites->site[kind][i].count; j++) {
				add_number(buffer, sites->site[kind][i].values[j].value, 8);
				add_number(buffer, sites->site[kind][i].values[j].count, 8);
			}
	}
}

static void add_record(struct buffer *buffer, const struct function *function, unsigned int version)
{
	uint32_t i;

	add_number(buffer, function->hash, 8);
	add_number(buffer, function->counter_count, 8);
	add_counters(buffer, function);
	if (version >= INDEXED_BITMAPS) {
		add_number(buffer, function->bitmap_size, 8);
		/* Each byte takes a word. */
		for (i = 0; i < function->bitmap_size; i++)
			add_number(buffer, function->bitmap[i], 8);
	}
	add_values(buffer, function, version);
}

/* The size of each key's records: a key of the table is one name, whatever has it. */
static void measure(struct writer *writer)
{
	size_t i;
	uint32_t j;

	for (i = 0; i < writer->buckets.keys; i++) {
		struct bucket_key *key = &writer->buckets.key[i];

		for (j = key->first; j < key->end; j++)
			key->size += record_size(&writer->model->functions[j], writer->version);
		key->name_size = writer->model->functions[key->first].name.size;
	}
}

static uint64_t item_size(const struct bucket_key *key)
{
	return 24 + key->name_size + key->size;
}

static void put_bucket(struct writer *writer, size_t bucket)
{
	struct buffer *scratch = &writer->scratch;
	const struct bucket_key *key;
	uint64_t keys = 0;
	size_t i;

	scratch->size = 0;
	add_number(scratch, 0, 2); /* their number, known at the end */
	for (key = buckets_first(&writer->buckets, bucket); key; key = buckets_next(&writer->buckets, key)) {
		const struct function *function = &writer->model->functions[key->first];

		add_number(scratch, function->reference, 8);
		add_number(scratch, function->name.size, 8);
		add_number(scratch, key->size, 8);
		buffer_add(scratch, function->name.data, function->name.size);
		for (i = key->first; i < key->end; i++)
			add_record(scratch, &writer->model->functions[i], writer->version);
		keys++;
	}
	store(scratch->data, keys, 2, false);
	output_put(writer->output, scratch->data, scratch->size);
}

/* The offset of each bucket, counted from @offset; the return value is the end. */
static uint64_t place_buckets(struct writer *writer, uint64_t offset, uint64_t *place)
{
	size_t i;

	for (i = 0; i < writer->buckets.size; i++) {
		const struct bucket_key *key = buckets_first(&writer->buckets, i);

		place[i] = key ? offset : 0;
		offset += key ? 2 : 0;
		for (; key; key = buckets_next(&writer->buckets, key))
			offset += item_size(key);
	}
	return offset;
}

static void put_summary(struct writer *writer, bool context_sensitive)
{
	struct buffer *scratch = &writer->scratch;
	struct summary summary;
	size_t i;

	summary_of(&summary, writer->model, context_sensitive);
	scratch->size = 0;
	add_number(scratch, SUMMARY_FIELDS, 8);
	add_number(scratch, SUMMARY_CUTOFFS, 8);
	add_number(scratch, summary.functions, 8);
	add_number(scratch, summary.blocks, 8);
	add_number(scratch, summary.most_function, 8);
	add_number(scratch, summary.most_block, 8);
	add_number(scratch, summary.most_internal, 8);
	add_number(scratch, summary.total, 8);
	for (i = 0; i < SUMMARY_CUTOFFS; i++) {
		add_number(scratch, summary.cutoff[i].share, 8);
		add_number(scratch, summary.cutoff[i].least_count, 8);
		add_number(scratch, summary.cutoff[i].blocks, 8);
	}
	output_put(writer->output, scratch->data, scratch->size);
}

static void put_header(struct writer *writer, const uint64_t word[INDEXED_WORDS])
{
	unsigned int i;

	for (i = 0; i < indexed_words(writer->version); i++)
		put_number(writer, word[i]);
}

static bool has_traces(const struct writer *writer)
{
	return writer->version >= INDEXED_TRACES && (writer->model->variants & BAREPROF_VARIANT_TEMPORAL);
}

static void put_traces(struct writer *writer)
{
	const struct model *model = writer->model;
	size_t i;
	size_t j;

	put_number(writer, model->trace_count);
	put_number(writer, model->trace_stream);
	for (i = 0; i < model->trace_count; i++) {
		put_number(writer, model->traces[i].weight);
		put_number(writer, model->traces[i].count);
		for (j = 0; j < model->traces[i].count; j++)
			put_number(writer, model->traces[i].references[j]);
	}
}

/* What comes after the table; its offsets were written into the header before. */
static void put_rest(struct writer *writer)
{
	const struct model *model = writer->model;

	if (writer->version >= INDEXED_BUILD_IDS) {
		put_number(writer, model->build_ids.size);
		output_put(writer->output, model->build_ids.data, model->build_ids.size);
	}
	/* The names of vtables are needed for their addresses, which are names here: none are kept. */
	if (writer->version >= INDEXED_VTABLES)
		put_number(writer, 0);
	if (has_traces(writer))
		put_traces(writer);
}

/* All offsets, from the sizes of what is between them. */
static void place(struct writer *writer, uint64_t word[INDEXED_WORDS], uint64_t *bucket_place)
{
	bool context_sensitive = writer->model->variants & BAREPROF_VARIANT_CSIR;
	uint64_t offset = 8 * indexed_words(writer->version) + SUMMARY_SIZE * (context_sensitive ? 2u : 1u);

	offset = place_buckets(writer, offset, bucket_place);
	offset += BAREPROF_PAD8(offset);
	word[INDEXED_WORD_HASH_OFFSET] = offset;
	offset += 16 + 8 * (uint64_t)writer->buckets.size;
	writer->table_end = offset;
	if (word[INDEXED_WORD_VERSION] & INDEXED_VARIANT_MEMPROF) {
		word[INDEXED_WORD_MEMPROF_OFFSET] = writer->model->memprof.offset;
		offset = writer->model->memprof.offset + writer->model->memprof.section.size;
	}
	word[INDEXED_WORD_BUILD_ID_OFFSET] = offset;
	offset += 8 + writer->model->build_ids.size;
	word[INDEXED_WORD_VTABLE_NAMES_OFFSET] = offset;
	if (writer->version >= INDEXED_VTABLES)
		offset += 8;
	if (has_traces(writer))
		word[INDEXED_WORD_TRACES_OFFSET] = offset;
}

static uint64_t version_word(const struct writer *writer)
{
	uint64_t word = writer->version | writer->model->variants;

	if (!has_traces(writer))
		word &= ~BAREPROF_VARIANT_TEMPORAL;
	if (writer->version < INDEXED_LOOPS)
		word &= ~BAREPROF_VARIANT_LOOP_ENTRIES;
	if (writer->model->memprof.inputs && !memprof_loss(writer->model, writer->version))
		word |= INDEXED_VARIANT_MEMPROF;
	return word;
}

static void put_zeros(struct writer *writer, uint64_t n)
{
	for (; n; n -= n < 8 ? n : 8) {
		writer->scratch.size = 0;
		add_zeros(&writer->scratch, n < 8 ? (size_t)n : 8);
		output_put(writer->output, writer->scratch.data, writer->scratch.size);
	}
}

/* At the offset where it was, which is not before here. */
static void put_memprof(struct writer *writer)
{
	const struct memprof *memprof = &writer->model->memprof;

	put_zeros(writer, memprof->offset - writer->output->size);
	output_put(writer->output, memprof->section.data, memprof->section.size);
}

/* Make the table and say where everything goes; returns where each bucket does. */
static uint64_t *plan(struct writer *writer, uint64_t word[INDEXED_WORDS])
{
	uint64_t *bucket_place;

	buckets_make(&writer->buckets, writer->model);
	measure(writer);
	bucket_place = allocate(writer->buckets.size, sizeof(*bucket_place));
	place(writer, word, bucket_place);
	return bucket_place;
}

uint64_t indexed_table_end(const struct model *model, unsigned int version)
{
	struct writer writer = {.model = model, .version = version};
	uint64_t word[INDEXED_WORDS] = {0};

	free(plan(&writer, word));
	buckets_free(&writer.buckets);
	return writer.table_end;
}

enum status indexed_write(const struct model *model, unsigned int version, struct output *output)
{
	struct writer writer = {.model = model, .output = output, .version = version};
	uint64_t word[INDEXED_WORDS] = {INDEXED_MAGIC, version_word(&writer)};
	uint64_t *bucket_place = plan(&writer, word);
	size_t i;

	put_header(&writer, word);
	put_summary(&writer, false);
	if (model->variants & BAREPROF_VARIANT_CSIR)
		put_summary(&writer, true);
	for (i = 0; i < writer.buckets.size; i++)
		if (bucket_place[i])
			put_bucket(&writer, i);
	put_zeros(&writer, BAREPROF_PAD8(output->size));
	put_number(&writer, writer.buckets.size);
	put_number(&writer, writer.buckets.keys);
	for (i = 0; i < writer.buckets.size; i++)
		put_number(&writer, bucket_place[i]);
	if (word[INDEXED_WORD_VERSION] & INDEXED_VARIANT_MEMPROF)
		put_memprof(&writer);
	put_rest(&writer);
	free(bucket_place);
	buckets_free(&writer.buckets);
	buffer_free(&writer.scratch);
	return output->status;
}
