/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * round.c - checks the outputs of `bareprof pull` in a round of rounds.c. It computes the expected result from the
 * bytes on the wire, and does not use the code under test.
 */
#include "round.h"
#include "input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const way_name[WAYS] = {"once", "twice", "another", "in turns", "reset"};

void round_fail(struct round *round, const char *what, const char *more)
{
	if (round->good)
		printf("    seed %" PRIu64 " (%s): again by %s\n", round->seed, way_name[round->way], round->command);
	printf("      %s%s%s\n", what, *more ? ": " : "", more);
	round->good = false;
}

/* Returns true if the line of @block is on the wire. The unused bits in the last character of the line may differ. */
static bool is_there(const struct buffer *wire, const struct buffer *block)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned int unused = block->size % 3 == 1 ? 4 : block->size % 3 == 2 ? 2 : 0;
	struct buffer line = {0};
	bool there = false;
	unsigned int i;

	make_text(&line, block, "", "");
	for (i = 0; i < 1u << unused && !there; i++) {
		uint8_t *last = &line.data[line.size - 1];
		size_t digit = (size_t)(strchr(digits, *last) - digits);

		*last = (uint8_t)digits[(digit >> unused << unused) + i];
		there = memmem(wire->data, wire->size, line.data, line.size) != NULL;
	}
	buffer_free(&line);
	return there;
}

void round_arrived(struct round *round, struct sent *sent)
{
	unsigned int i;

	sent->lost = 0;
	for (i = 0; i < sent->made.count; i++) {
		sent->arrived[i] = is_there(&round->wire, &sent->made.block[i]);
		sent->lost += !sent->arrived[i];
	}
}

static char *read_text(const char *folder, const char *name)
{
	char *path = format("%s/%s", folder, name);
	struct input input;
	struct error error;
	char *text = NULL;

	if (input_read(&input, path, &error) == STATUS_OK)
		text = format("%.*s", (int)input.bytes.size, (const char *)input.bytes.data);
	input_free(&input);
	free(path);
	return text;
}

/*
 * Compares the file @name with @profile. Returns 1 if they are equal, -1 if they differ, and 0 if the file does not
 * exist.
 */
static int compare(const struct round *round, const char *name, struct bytes profile)
{
	char *path = format("%s/%s", round->folder, name);
	struct input input;
	struct error error;
	int same = 0;

	if (input_read(&input, path, &error) == STATUS_OK) {
		same = input.bytes.size == profile.size && !memcmp(input.bytes.data, profile.data, profile.size) ? 1
		                                                                                                 : -1;
		input_free(&input);
	}
	free(path);
	return same;
}

/* Marks each number in a text such as "3, 7 to 9 and 12 of 40 are missing". */
static void read_list(const char *at, bool *named)
{
	unsigned long last = 0;

	while (*at && strncmp(at, "of ", 3) && strncmp(at, "is ", 3) && strncmp(at, "are ", 4)) {
		bool range = !strncmp(at, "to ", 3);
		char *end;
		unsigned long number;
		unsigned long i;

		at += range ? 3 : 0;
		number = strtoul(at, &end, 10);
		if (end == at) {
			at++;
			continue;
		}
		for (i = range ? last : number; i <= number && i < MADE_BLOCKS_MAX; i++)
			named[i] = true;
		last = number;
		at = end;
	}
}

/* Marks the blocks that the sentence about the dump @sent names. Returns false if there is no such sentence. */
static bool read_named(const struct sent *sent, const char *text, bool *named)
{
	char *start = format("the dump %08x is incomplete: ", sent->made.tag);
	const char *at = strstr(text, start);
	unsigned int after;
	unsigned int i;

	if (at)
		at += strlen(start);
	free(start);
	if (!at)
		return false;
	if (sscanf(at, "it ends after block %u of", &after) == 1)
		for (i = after + 1; i < sent->made.count; i++)
			named[i] = true;
	else if (!strncmp(at, "block ", 6) || !strncmp(at, "blocks ", 7))
		read_list(strchr(at, ' ') + 1, named);
	else
		return false;
	return true;
}

static void check_named(struct round *round, const struct sent *sent, const char *text)
{
	static bool named[MADE_BLOCKS_MAX];
	unsigned int known = sent->made.count;
	unsigned int i;

	memset(named, 0, sizeof(named));
	if (!read_named(sent, text, named)) {
		round_fail(round, "an incomplete dump is not named", text);
		return;
	}
	/* If BEGIN and END are both lost, the number of blocks is not known. */
	if (!sent->arrived[0] && !sent->arrived[known - 1]) {
		while (known && !sent->arrived[known - 1])
			known--;
		if (!strstr(text, "END is missing too, so more blocks may be missing"))
			round_fail(round, "it should say that there may be more", text);
	}
	for (i = 0; i < known; i++)
		if (named[i] == sent->arrived[i]) {
			char *what = format("block %u %s", i, named[i] ? "arrived, but is named" : "is not named");

			round_fail(round, what, text);
			free(what);
		}
}

static void check_dump(struct round *round, const struct sent *sent, const char *name, const char *text)
{
	int same = compare(round, name, sent->profile);

	round->outcome->lost += sent->lost;
	if (same < 0)
		round_fail(round, "a wrong profile", name);
	if (sent->lost && same)
		round_fail(round, "a profile without all of its blocks", name);
	/* A dump whose blocks are all lost cannot be named. */
	if (sent->lost && sent->lost < sent->made.count)
		check_named(round, sent, text);
	else if (!sent->lost && !same)
		round_fail(round, "no profile, but all of it arrived", text);
	else if (!sent->lost)
		round->outcome->whole++;
}

/* Checks that pull showed each line of the target's log that is not joined with another line on the wire. */
static void check_log(struct round *round, const char *shown)
{
	char *wire = allocate(round->wire.size + 1, 1);
	char *line;
	size_t i;

	for (i = 0; i < round->wire.size; i++)
		wire[i] = round->wire.data[i] ? (char)round->wire.data[i] : '\n';
	for (line = strtok(wire, "\r\n"); line; line = strtok(NULL, "\r\n"))
		if (*line == '[' && !strstr(line, "@bp") && !strstr(shown, line))
			round_fail(round, "a line of the log is lost", line);
	free(wire);
}

void round_check(struct round *round, int status)
{
	unsigned int meant = round->way == ONCE || round->way == TWICE ? 0 : 1;
	char *text = read_text(round->folder, "err");
	char *shown = read_text(round->folder, "out");
	char *number = format("%d", status);
	char *other = format("profile.%08x", round->sent[0].made.tag);

	if (!text || !shown) {
		round_fail(round, "no outputs", round->folder);
		return;
	}
	if (status != (round->sent[meant].lost ? 1 : 0))
		round_fail(round, "it ended with status", number);
	check_dump(round, &round->sent[meant], "profile", text);
	/*
	 * With ANOTHER and RESET, pull also writes the first dump, to a file of its own. With IN_TURNS, pull runs with
	 * --dump, so it writes only the second dump.
	 */
	if (round->way == ANOTHER || round->way == RESET)
		check_dump(round, &round->sent[0], other, text);
	check_log(round, shown);
	if (round->outcome->seconds < round->outcome->bytes * 10 / ROUND_BAUD)
		round_fail(round, "the line was faster than its rate", "");
	free(number);
	free(other);
	free(shown);
	free(text);
}
