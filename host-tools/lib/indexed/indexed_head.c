/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed_head.c - reads the header and the summaries of an indexed profile.
 */
#include "indexed_head.h"

#include <bareprof/layout.h>
#include <inttypes.h>

static enum status damaged(const char *what, size_t offset, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT, "is malformed or cut short near offset %zu, in %s", offset, what);
}

static enum status read_header(struct indexed_head *head, struct cursor *cursor, struct error *error)
{
	uint64_t version;
	unsigned int i;

	for (i = 0; i <= INDEXED_WORD_VERSION; i++)
		head->word[i] = take_fixed(cursor, 8);
	if (cursor->failed)
		return damaged("the header", 8 * (size_t)i, error);
	version = head->word[INDEXED_WORD_VERSION] & BAREPROF_VERSION_NUMBER;
	if (version < INDEXED_OLDEST || version > INDEXED_NEWEST)
		return error_set(error, STATUS_INVALID_INPUT,
			"has index version %" PRIu64
			", but this bareprof reads only %u to %u (LLVM 22): use a newer bareprof",
			version, INDEXED_OLDEST, INDEXED_NEWEST);
	head->version = (unsigned int)version;
	head->variants = head->word[INDEXED_WORD_VERSION] & ~BAREPROF_VERSION_NUMBER;
	for (; i < indexed_words(head->version); i++)
		head->word[i] = take_fixed(cursor, 8);
	if (cursor->failed)
		return damaged("the header", 8 * (size_t)i, error);
	if (head->word[INDEXED_WORD_HASH_TYPE])
		return error_set(error, STATUS_INVALID_INPUT,
			"has a damaged header: it claims hash method %" PRIu64 ", but the only known method is MD5 (0)",
			head->word[INDEXED_WORD_HASH_TYPE]);
	return STATUS_OK;
}

/*
 * Reads a summary, which may have any number of fields and cutoffs. Only the first SUMMARY_FIELDS
 * fields and the first SUMMARY_CUTOFFS cutoffs are stored.
 */
static bool read_summary(struct summary *summary, struct cursor *cursor)
{
	uint64_t *const field[SUMMARY_FIELDS] = {&summary->functions, &summary->blocks, &summary->max_function_count,
		&summary->max_count, &summary->max_internal_count, &summary->total};
	uint64_t fields = take_fixed(cursor, 8);
	uint64_t cutoffs = take_fixed(cursor, 8);
	uint64_t room = (uint64_t)(cursor->end - cursor->at) / 8;
	uint64_t i;

	if (cursor->failed || fields > room || cutoffs > (room - fields) / 3)
		return false;
	for (i = 0; i < fields; i++) {
		uint64_t value = take_fixed(cursor, 8);

		if (i < SUMMARY_FIELDS)
			*field[i] = value;
	}
	for (i = 0; i < cutoffs; i++) {
		uint64_t share = take_fixed(cursor, 8);
		uint64_t min_count = take_fixed(cursor, 8);
		uint64_t blocks = take_fixed(cursor, 8);

		if (i < SUMMARY_CUTOFFS) {
			summary->cutoff[i].share = share;
			summary->cutoff[i].min_count = min_count;
			summary->cutoff[i].blocks = blocks;
		}
	}
	return true;
}

enum status indexed_head_read(struct indexed_head *head, struct bytes bytes, struct error *error)
{
	struct cursor cursor = cursor_of(bytes);
	const uint8_t *start = cursor.at;
	enum status status;

	*head = (struct indexed_head){0};
	status = read_header(head, &cursor, error);
	if (status != STATUS_OK)
		return status;
	head->has_summary = head->version >= INDEXED_SUMMARY;
	if ((head->has_summary && !read_summary(&head->summary, &cursor)) ||
		(head->has_summary && (head->variants & BAREPROF_VARIANT_CSIR) &&
			!read_summary(&head->context_sensitive, &cursor)))
		return damaged("the summary", (size_t)(cursor.at - start), error);
	head->size = (size_t)(cursor.at - start);
	return STATUS_OK;
}
