/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump_select.c - chooses one of several dumps. If the dump cannot be used, writes a sentence
 * with the reason.
 */
#include "sent_dump.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The list of missing blocks in a message ends after about this many characters, so that it stays readable. */
#define TEXT_MAX 3000

void sent_dump_missing(const struct sent_dump *sent, struct buffer *text)
{
	bool many = sent->missing_count > 1 || (sent->missing_count && sent->missing[0].first != sent->missing[0].last);
	size_t limit = text->size + TEXT_MAX;
	size_t i;

	buffer_add_text(text, many ? "blocks" : "block");
	for (i = 0; i < sent->missing_count; i++) {
		const struct block_range *range = &sent->missing[i];
		size_t left = sent->missing_count - i;

		if (text->size > limit) {
			buffer_printf(text, " and the blocks in %zu more gaps", left);
			break;
		}
		buffer_add_text(text, !i ? " " : left == 1 ? " and " : ", ");
		buffer_printf(text, "%" PRIu64 "%s", range->first, range->first ? "" : " (BEGIN)");
		if (range->last != range->first)
			buffer_printf(text, " to %" PRIu64, range->last);
	}
	if (sent->last)
		buffer_printf(text, " of %" PRIu64, sent->last);
	buffer_add_text(text, many ? " are missing" : " is missing");
	/* Without BEGIN and END, the number of blocks in the dump is not known. */
	if (!sent->last)
		buffer_add_text(text, "; END is missing too, so more blocks may be missing");
}

/*
 * Appends text such as "; an older dump is complete: --dump 1a2b3c4d". Appends nothing if no dump
 * except @chosen is complete.
 */
static void add_older(const struct capture *capture, const struct sent_dump *chosen, struct buffer *text)
{
	size_t complete = 0;
	size_t i;

	for (i = 0; i < capture->sent_count; i++)
		complete += &capture->sent_dumps[i] != chosen && capture->sent_dumps[i].state == DUMP_COMPLETE;
	if (!complete)
		return;
	buffer_add_text(text, complete == 1 ? "; an older dump is complete:" : "; older dumps are complete:");
	for (i = capture->sent_count; i-- && text->size < TEXT_MAX + 500;)
		if (&capture->sent_dumps[i] != chosen && capture->sent_dumps[i].state == DUMP_COMPLETE)
			buffer_printf(text, " --dump %08" PRIx32, capture->sent_dumps[i].tag);
}

/* If other dumps are incomplete too, appends that their blocks cannot fill the gaps of @chosen. */
static void add_others(const struct capture *capture, const struct sent_dump *chosen, struct buffer *text)
{
	size_t incomplete = 0;
	size_t i;

	for (i = 0; i < capture->sent_count; i++)
		incomplete += &capture->sent_dumps[i] != chosen && capture->sent_dumps[i].state == DUMP_INCOMPLETE;
	if (incomplete && chosen->state == DUMP_INCOMPLETE)
		buffer_printf(text,
			"; %zu other incomplete dump%s cannot fill the gaps, because only blocks of the same image and "
			"boot, without a reset between them, belong together",
			incomplete, incomplete == 1 ? "" : "s");
}

/*
 * Returns whether only the end of the dump is missing. Then the message can be shorter than with a
 * list of missing blocks.
 */
static bool breaks_off(const struct sent_dump *sent)
{
	return sent->missing_count == 1 && sent->missing[0].first && sent->missing[0].last == sent->last;
}

void sent_dump_problem(const struct sent_dump *sent, struct buffer *text)
{
	if (sent->state == DUMP_UNUSABLE) {
		buffer_add_text(text, sent->problem.text);
		return;
	}
	buffer_printf(text, "the dump %08" PRIx32 " is incomplete: ", sent->tag);
	if (breaks_off(sent))
		buffer_printf(text, "it ends after block %" PRIu64 " of %" PRIu64 " (END is missing)",
			sent->missing[0].first - 1, sent->last);
	else if (!sent->missing_count)
		buffer_add_text(text, "its END is missing");
	else
		sent_dump_missing(sent, text);
}

static enum status refuse(const struct capture *capture, const struct sent_dump *sent, struct error *error)
{
	struct buffer text = {0};

	sent_dump_problem(sent, &text);
	add_older(capture, sent, &text);
	add_others(capture, sent, &text);
	if (sent->state == DUMP_INCOMPLETE)
		buffer_add_text(&text, "; dump again, or append another log of the same dump");
	if (sent->state == DUMP_INCOMPLETE && sent->counters)
		buffer_add_text(&text, "; with --partial, the functions that arrived completely are used");
	error_set(error, STATUS_INVALID_INPUT, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/*
 * Reads a name such as "1a2b3c4d" or "1a2b3c4d.7". Sets *@image to -1 if the name has no image
 * number. Returns false if @name does not have the form TAG or TAG.IMAGE.
 */
static bool read_name(const char *name, unsigned long *tag, long *image)
{
	char *end;

	*image = -1;
	if (!isxdigit((unsigned char)*name))
		return false;
	*tag = strtoul(name, &end, 16);
	if (*end == '.' && isdigit((unsigned char)end[1]))
		*image = strtol(end + 1, &end, 10);
	return !*end && *tag <= UINT32_MAX;
}

bool sent_dump_name_valid(const char *wanted)
{
	unsigned long tag;
	long image;

	return read_name(wanted, &tag, &image);
}

bool sent_dump_named(const char *wanted, uint32_t tag, uint32_t image)
{
	unsigned long wanted_tag;
	long wanted_image;

	return read_name(wanted, &wanted_tag, &wanted_image) && wanted_tag == tag &&
	       (wanted_image < 0 || wanted_image == (long)image);
}

/* sent->counters is false if BEGIN is missing, because then the contents of the blocks are unknown. */
bool sent_dump_usable(const struct sent_dump *sent, bool partial)
{
	return sent->state == DUMP_COMPLETE || (sent->state == DUMP_INCOMPLETE && partial && sent->counters);
}

static enum status choose_named(const struct sent_dump **sent, const struct capture *capture, const char *wanted,
	bool partial, struct error *error)
{
	const struct sent_dump *found = NULL;
	unsigned long tag;
	long image;
	size_t i;

	if (!read_name(wanted, &tag, &image))
		return error_set(error, STATUS_USAGE, "'%s' is not the name of a dump; --list shows the dumps", wanted);
	for (i = 0; i < capture->sent_count; i++) {
		const struct sent_dump *one = &capture->sent_dumps[i];

		if (!sent_dump_named(wanted, one->tag, one->image))
			continue;
		if (found)
			return error_set(error, STATUS_USAGE,
				"has a dump %08" PRIx32 " of image %" PRIu32 " and another of image %" PRIu32
				"; choose one, such as --dump %08" PRIx32 ".%" PRIu32,
				one->tag, found->image, one->image, one->tag, one->image);
		found = one;
	}
	if (!found)
		return error_set(error, STATUS_USAGE, "has no dump %08lx; --list shows the dumps", tag);
	*sent = found;
	return sent_dump_usable(found, partial) ? STATUS_OK : refuse(capture, found, error);
}

enum status sent_dump_choose(const struct sent_dump **sent, const struct capture *capture, const char *wanted,
	bool partial, struct error *error)
{
	size_t i;

	if (!capture->sent_count)
		return error_set(error, STATUS_INVALID_INPUT, "no dump was found");
	if (wanted)
		return choose_named(sent, capture, wanted, partial, error);
	for (i = 1; i < capture->sent_count; i++)
		if (capture->sent_dumps[i].image != capture->sent_dumps[0].image)
			return error_set(error, STATUS_INVALID_INPUT,
				"has dumps of several images, such as %" PRIu32 " and %" PRIu32
				"; choose a dump with --dump; --list shows all dumps",
				capture->sent_dumps[0].image, capture->sent_dumps[i].image);
	*sent = &capture->sent_dumps[capture->sent_count - 1];
	return sent_dump_usable(*sent, partial) ? STATUS_OK : refuse(capture, *sent, error);
}
