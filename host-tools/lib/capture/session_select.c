/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session_select.c - which of several sessions is meant, and the sentence why none is.
 */
#include "session.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Keeps a message of very many gaps to one readable line. */
#define TEXT_MAX 3000

void session_missing(const struct session *session, struct buffer *text)
{
	bool many = session->missing_count > 1 ||
	            (session->missing_count && session->missing[0].first != session->missing[0].last);
	size_t limit = text->size + TEXT_MAX;
	size_t i;

	buffer_add_text(text, many ? "blocks" : "block");
	for (i = 0; i < session->missing_count; i++) {
		const struct block_range *range = &session->missing[i];
		size_t left = session->missing_count - i;

		if (text->size > limit) {
			buffer_printf(text, " and %zu more places", left);
			break;
		}
		buffer_add_text(text, !i ? " " : left == 1 ? " and " : ", ");
		buffer_printf(text, "%" PRIu64 "%s", range->first, range->first ? "" : " (BEGIN)");
		if (range->last != range->first)
			buffer_printf(text, " to %" PRIu64, range->last);
	}
	if (session->last)
		buffer_printf(text, " of %" PRIu64, session->last);
	buffer_add_text(text, many ? " are missing" : " is missing");
	/* Only BEGIN and END know how many there are. */
	if (!session->last)
		buffer_add_text(text, ", and END is, so that more may be");
}

/* "an older dump is complete: --dump 1a2b3c4d", nothing if there is none. */
static void add_older(const struct capture *capture, const struct session *chosen, struct buffer *text)
{
	size_t complete = 0;
	size_t i;

	for (i = 0; i < capture->session_count; i++)
		complete += &capture->sessions[i] != chosen && capture->sessions[i].state == SESSION_COMPLETE;
	if (!complete)
		return;
	buffer_add_text(text, complete == 1 ? "; an older dump is complete:" : "; older dumps are complete:");
	for (i = capture->session_count; i-- && text->size < TEXT_MAX + 500;)
		if (&capture->sessions[i] != chosen && capture->sessions[i].state == SESSION_COMPLETE)
			buffer_printf(text, " --dump %08" PRIx32, capture->sessions[i].tag);
}

/* Blocks of another boot do not fill the gaps. */
static void add_others(const struct capture *capture, const struct session *chosen, struct buffer *text)
{
	size_t incomplete = 0;
	size_t i;

	for (i = 0; i < capture->session_count; i++)
		incomplete += &capture->sessions[i] != chosen && capture->sessions[i].state == SESSION_INCOMPLETE;
	if (incomplete && chosen->state == SESSION_INCOMPLETE)
		buffer_printf(text,
			"; there are blocks of %zu other incomplete dump%s, of another boot, reset or image: they do "
			"not belong together",
			incomplete, incomplete == 1 ? "" : "s");
}

/* All that is missing is the end: say so in place of a long range. */
static bool breaks_off(const struct session *session)
{
	return session->missing_count == 1 && session->missing[0].first && session->missing[0].last == session->last;
}

void session_problem(const struct session *session, struct buffer *text)
{
	if (session->state == SESSION_UNUSABLE) {
		buffer_add_text(text, session->problem.text);
		return;
	}
	buffer_printf(text, "the dump %08" PRIx32 " is incomplete: ", session->tag);
	if (breaks_off(session))
		buffer_printf(text, "it breaks off after block %" PRIu64 " of %" PRIu64 " (END is missing)",
			session->missing[0].first - 1, session->last);
	else if (!session->missing_count)
		buffer_add_text(text, "its END is missing");
	else
		session_missing(session, text);
}

static enum status refuse(const struct capture *capture, const struct session *session, struct error *error)
{
	struct buffer text = {0};

	session_problem(session, &text);
	add_older(capture, session, &text);
	add_others(capture, session, &text);
	if (session->state == SESSION_INCOMPLETE)
		buffer_add_text(&text, "; dump again, or append another log of the same dump");
	if (session->state == SESSION_INCOMPLETE && session->counters)
		buffer_add_text(&text, "; --partial takes the functions of which all came");
	error_set(error, STATUS_INVALID_INPUT, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/* "1a2b3c4d" or "1a2b3c4d.7"; *@image is -1 if it is not told. */
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

bool session_name_valid(const char *wanted)
{
	unsigned long tag;
	long image;

	return read_name(wanted, &tag, &image);
}

bool session_named(const char *wanted, uint32_t tag, uint32_t image)
{
	unsigned long wanted_tag;
	long wanted_image;

	return read_name(wanted, &wanted_tag, &wanted_image) && wanted_tag == tag &&
	       (wanted_image < 0 || wanted_image == (long)image);
}

/* Without BEGIN nothing tells what the blocks are of. */
bool session_usable(const struct session *session, bool partial)
{
	return session->state == SESSION_COMPLETE ||
	       (session->state == SESSION_INCOMPLETE && partial && session->counters);
}

static enum status choose_named(const struct session **session, const struct capture *capture, const char *wanted,
	bool partial, struct error *error)
{
	const struct session *found = NULL;
	unsigned long tag;
	long image;
	size_t i;

	if (!read_name(wanted, &tag, &image))
		return error_set(error, STATUS_USAGE, "'%s' is no dump; --list shows what there is", wanted);
	for (i = 0; i < capture->session_count; i++) {
		const struct session *one = &capture->sessions[i];

		if (!session_named(wanted, one->tag, one->image))
			continue;
		if (found)
			return error_set(error, STATUS_USAGE,
				"has the dump %08" PRIx32 " of the images %" PRIu32 " and %" PRIu32
				"; name one as --dump %08" PRIx32 ".%" PRIu32,
				one->tag, found->image, one->image, one->tag, one->image);
		found = one;
	}
	if (!found)
		return error_set(error, STATUS_USAGE, "has no dump %08lx; --list shows what there is", tag);
	*session = found;
	return session_usable(found, partial) ? STATUS_OK : refuse(capture, found, error);
}

enum status session_choose(const struct session **session, const struct capture *capture, const char *wanted,
	bool partial, struct error *error)
{
	size_t i;

	if (!capture->session_count)
		return error_set(error, STATUS_INVALID_INPUT, "no dump was found");
	if (wanted)
		return choose_named(session, capture, wanted, partial, error);
	for (i = 1; i < capture->session_count; i++)
		if (capture->sessions[i].image != capture->sessions[0].image)
			return error_set(error, STATUS_INVALID_INPUT,
				"holds dumps of the images %" PRIu32 " and %" PRIu32
				"; choose one with --dump (--list shows them)",
				capture->sessions[0].image, capture->sessions[i].image);
	*session = &capture->sessions[capture->session_count - 1];
	return session_usable(*session, partial) ? STATUS_OK : refuse(capture, *session, error);
}
