/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge.c - checks the result of reading a damaged capture. Whatever damage occurs on the wire, three things must be
 * true. The profile has no wrong count. Each function is in the profile, or is named as left out. No error names a
 * block that has arrived.
 */
#include "judge.h"
#include "raw_open.h"

#include <stdlib.h>
#include <string.h>

static void keep_block(void *context, const struct block *block)
{
	struct sent *sent = context;

	if (sent->count == SENT_BLOCKS_MAX)
		return;
	sent->block[sent->count] = *block;
	buffer_add(&sent->payloads, block->payload.data, block->payload.size);
	sent->block[sent->count++].payload.data = sent->payloads.data + sent->payloads.size - block->payload.size;
}

bool sent_read(struct sent *sent, const char *capture, const char *profile)
{
	struct scan scan = {.block = keep_block, .context = sent};
	struct error error;
	size_t i;

	memset(sent, 0, sizeof(*sent));
	if (input_read(&sent->capture, capture, &error) != STATUS_OK)
		return false;
	if (input_read(&sent->profile, profile, &error) != STATUS_OK) {
		input_free(&sent->capture);
		return false;
	}
	/*
	 * The payloads are copied because the scanner frees its own memory. Memory for all copies is reserved before,
	 * so that the buffer does not move.
	 */
	buffer_reserve(&sent->payloads, sent->capture.bytes.size);
	scan_bytes(&scan, sent->capture.bytes);
	scan_free(&scan);
	if (sent->count)
		sent->tag = sent->block[0].tag;
	for (i = 0; i < sent->count; i++)
		if (sent->block[i].index != i)
			return false;
	return sent->count > 4 && raw_open(&sent->whole, sent->profile.bytes, 0, &error) == STATUS_OK &&
	       names_read(&sent->names, sent->whole.section[BAREPROF_NAMES], &error) == STATUS_OK;
}

void sent_free(struct sent *sent)
{
	raw_close(&sent->whole);
	names_free(&sent->names);
	buffer_free(&sent->payloads);
	input_free(&sent->profile);
	input_free(&sent->capture);
}

static bool same(struct bytes a, struct bytes b)
{
	return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

/*
 * Searches the complete profile for an unmarked function that equals @function, and marks the first one. Returns
 * false if there is none.
 */
static bool mark(const struct sent *sent, bool *marked, const struct raw_function *function)
{
	struct raw_function other;
	struct error error;
	uint64_t i;

	for (i = 0; i < sent->whole.records; i++) {
		raw_function(&sent->whole, i, &other, &error);
		if (!marked[i] && other.name == function->name && other.hash == function->hash &&
			same(other.counters, function->counters) && same(other.bitmap, function->bitmap)) {
			marked[i] = true;
			return true;
		}
	}
	return false;
}

/*
 * Searches the complete profile for an unmarked function with the name @line, and marks the first one. Returns false
 * if there is none.
 */
static bool mark_named(const struct sent *sent, bool *marked, struct bytes line)
{
	uint64_t i;

	for (i = 0; i < sent->whole.records; i++) {
		struct raw_function function;
		struct error error;
		const struct name *name;

		raw_function(&sent->whole, i, &function, &error);
		name = names_find(&sent->names, function.name);
		if (!marked[i] && name && same(name->text, line)) {
			marked[i] = true;
			return true;
		}
	}
	return false;
}

/*
 * Checks that each function is in @part with its right counts, or is named in @left_out. Returns a description of the
 * mistake, or NULL.
 */
static const char *why_no_part(const struct sent *sent, struct bytes part, struct bytes left_out)
{
	bool *marked = calloc(sent->whole.records, 1);
	struct raw_profile some;
	struct error error;
	const char *why = NULL;
	uint64_t i;

	if (raw_open(&some, part, 0, &error) != STATUS_OK)
		why = "a part that is no profile";
	for (i = 0; !why && i < some.records; i++) {
		struct raw_function function;

		raw_function(&some, i, &function, &error);
		if (!mark(sent, marked, &function))
			why = "a part with counts that are not those of the whole";
	}
	while (!why && left_out.size) {
		struct bytes line = bytes_line(&left_out);

		if (!mark_named(sent, marked, line))
			why = "a name in the list of functions left out is in the profile, or is not that of a "
			      "function";
	}
	for (i = 0; !why && i < sent->whole.records; i++)
		if (!marked[i])
			why = "a function is neither there nor called left out";
	raw_close(&some);
	free(marked);
	return why;
}

static const struct sent *sent_of(const struct sent *sent, size_t count, uint32_t tag)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (sent[i].tag == tag)
			return &sent[i];
	return NULL;
}

/* Returns true if the error @text is about missing or damaged blocks. A bad serial line can cause no other errors. */
static bool is_named(const char *text)
{
	return strstr(text, " missing") || strstr(text, "contains no dump") || strstr(text, "but no sound block") ||
	       strstr(text, "but all of them are damaged") || strstr(text, "all of its blocks are damaged") ||
	       strstr(text, "not even a partial profile");
}

static const char *why_wrong(
	const struct dump_receiver *dump, const struct sent *sent, size_t count, const bool *arrived)
{
	size_t s;
	size_t r;

	for (s = 0; s < dump->capture.sent_count; s++) {
		const struct sent_dump *sent_dump = &dump->capture.sent_dumps[s];
		const struct sent *own = sent_of(sent, count, sent_dump->tag);

		if (!own || sent_dump->image)
			return "a dump that nobody sent";
		if (sent_dump->state == DUMP_UNUSABLE)
			return "a dump is called unusable, but its target made no mistake";
		for (r = 0; arrived && r < sent_dump->missing_count; r++) {
			uint64_t index = sent_dump->missing[r].first;

			for (; index <= sent_dump->missing[r].last && index < own->count; index++)
				if (arrived[(size_t)(own - sent) * SENT_BLOCKS_MAX + index])
					return "a block that arrived is called missing";
		}
	}
	return NULL;
}

static enum verdict judge_once(struct dump_receiver *dump, const struct sent *sent, size_t count,
	struct programs *programs, bool partial, const char **why)
{
	struct completion_report report = {0};
	struct error error = {""};
	enum verdict verdict = WRONG;

	dump->completion = (struct completion_options){.programs = programs, .partial = partial, .report = &report};
	if (dump_receiver_finish(dump, NULL, &error) != STATUS_OK) {
		if (is_named(error.text))
			verdict = REFUSED;
		else
			*why = "a refusal that does not name what is missing";
	} else {
		const struct sent *own = sent_of(sent, count, dump->sent->tag);
		struct bytes stream = {dump->stream.data, dump->stream.size};

		if (dump->sent->state == DUMP_COMPLETE) {
			verdict = own && same(stream, own->profile.bytes) ? WHOLE : WRONG;
			*why = "another profile";
		} else {
			*why = !own || !partial ? "a profile of an incomplete dump"
			       : !strstr(buffer_string(&report.warning), "is partial because ")
			               ? "a partial profile without a warning"
			               : why_no_part(own, stream,
						 (struct bytes){report.left_out.data, report.left_out.size});
			verdict = *why ? WRONG : PART;
		}
	}
	buffer_free(&dump->stream);
	completion_report_free(&report);
	return verdict;
}

struct judged judge(
	struct programs *programs, const struct sent *sent, size_t count, struct bytes carrier, const bool *arrived)
{
	struct judged judged;
	struct dump_receiver dump;

	judged.why = NULL;
	dump_receiver_start(&dump, NULL, NULL);
	scan_bytes(&dump.scan, carrier);
	judged.strict = judge_once(&dump, sent, count, programs, false, &judged.why);
	/* If the dump is complete, the result is the same with and without --partial. */
	judged.partial =
		judged.strict == REFUSED ? judge_once(&dump, sent, count, programs, true, &judged.why) : judged.strict;
	if (judged.strict != WRONG && judged.partial != WRONG) {
		judged.why = why_wrong(&dump, sent, count, arrived);
		if (judged.why)
			judged.strict = WRONG;
	}
	dump_receiver_free(&dump);
	return judged;
}
