/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * damage.c - damages captures as a bad serial line does, and reads them. The result must be either the profile that
 * was sent, or an error that names the missing blocks.
 */
#include "make.h"
#include "dump_receiver.h"

#include <bareprof/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum file_format {
	TEXT,
	FRAMES,
	FILES,
	FORMS
};
static const char *const form_name[FORMS] = {"text", "frames", "file"};

static struct buffer original; /* owns the bytes to which `profile` points */
static struct bytes profile;
static struct made made;
static struct made other; /* another dump of the same image */
static int failures;

static void result(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	failures += !good;
}

static void add(struct buffer *out, enum file_format form, const struct buffer *block)
{
	if (form == TEXT)
		make_text(out, block, "", "\r\n");
	else if (form == FRAMES)
		make_frame(out, block);
	else
		buffer_add(out, block->data, block->size);
}

static void start(struct buffer *out, enum file_format form)
{
	out->size = 0;
	if (form == FILES)
		buffer_add_text(out, BAREPROF_FILE_MAGIC);
}

/*
 * Reads the profile from @carrier, the bytes that arrived. Returns 1 if it is the right profile, 0 if @carrier
 * contains no complete profile, and -1 if the profile is wrong.
 */
static int pull(struct dump_receiver *dump, const struct buffer *carrier, const char *tag, struct error *error)
{
	dump_receiver_start(dump, NULL, NULL);
	scan_bytes(&dump->scan, (struct bytes){carrier->data, carrier->size});
	if (dump_receiver_finish(dump, tag, error) != STATUS_OK)
		return 0;
	return dump->stream.size == profile.size && !memcmp(dump->stream.data, profile.data, profile.size) ? 1 : -1;
}

static bool pulls(const struct buffer *carrier)
{
	struct dump_receiver dump;
	struct error error = {""};
	int got = pull(&dump, carrier, NULL, &error);

	if (got != 1)
		printf("    %s\n", got ? "a wrong profile" : error.text);
	dump_receiver_free(&dump);
	return got == 1;
}

static bool is_refused(const struct buffer *carrier, const char *why)
{
	struct dump_receiver dump;
	struct error error = {""};
	int got = pull(&dump, carrier, NULL, &error);
	bool good = got == 0 && strstr(error.text, why);

	if (!good)
		printf("    wanted '%s', got %s\n", why, got ? "a profile" : error.text);
	dump_receiver_free(&dump);
	return good;
}

/* Returns true if the list of missing blocks and the error both name block @index and no other block. */
static bool misses(const struct buffer *carrier, unsigned int index)
{
	const struct sent_dump *sent_dump;
	struct dump_receiver dump;
	struct error error = {""};
	char *number = index ? format("block %u of %u is missing", index, made.count - 1)
	                     : format("block 0 (BEGIN) of %u is missing", made.count - 1);
	bool good = pull(&dump, carrier, NULL, &error) == 0 && dump.capture.sent_count == 1;

	sent_dump = dump.capture.sent_dumps;
	good = good && sent_dump->missing_count == 1 && sent_dump->missing->first == index &&
	       sent_dump->missing->last == index &&
	       (strstr(error.text, number) || (index == made.count - 1 && strstr(error.text, "END is missing")));
	if (!good)
		printf("    wanted '%s', got '%s'\n", number, error.text);
	free(number);
	dump_receiver_free(&dump);
	return good;
}

static void test_forms(void)
{
	struct buffer carrier = {0};
	enum file_format form;
	unsigned int i;

	for (form = 0; form < FORMS; form++) {
		bool good = true;
		bool dropped = true;
		unsigned int drop;
		char *what = format("%s: in order, backwards and twice", form_name[form]);

		start(&carrier, form);
		for (i = 0; i < made.count; i++)
			add(&carrier, form, &made.block[i]);
		good &= pulls(&carrier);
		start(&carrier, form);
		for (i = made.count; i--;)
			add(&carrier, form, &made.block[i]);
		good &= pulls(&carrier);
		for (i = 0; i < made.count; i += 3)
			add(&carrier, form, &made.block[i]);
		good &= pulls(&carrier);
		result(good, what);
		free(what);
		for (drop = 0; drop < made.count; drop++) {
			start(&carrier, form);
			for (i = 0; i < made.count; i++)
				if (i != drop)
					add(&carrier, form, &made.block[i]);
			dropped &= misses(&carrier, drop);
		}
		what = format("%s: each single block missing is named", form_name[form]);
		result(dropped, what);
		free(what);
	}
	start(&carrier, FILES);
	for (i = 0; i < made.count; i++) {
		if (i == made.count / 3)
			buffer_add_text(&carrier, "\r\n");
		if (i == made.count / 2)
			buffer_add_text(&carrier, BAREPROF_FILE_MAGIC);
		if (i == made.count * 2 / 3)
			buffer_add_text(&carrier, "some log text\r\n");
		add(&carrier,
			i < made.count / 3       ? FILES
			: i < made.count / 2     ? TEXT
			: i < made.count * 2 / 3 ? FILES
						 : FRAMES,
			&made.block[i]);
	}
	result(pulls(&carrier), "all forms in one input");
	buffer_free(&carrier);
}

static void test_cuts(void)
{
	struct buffer carrier = {0};
	enum file_format form;
	unsigned int i;

	for (form = 0; form < FORMS; form++) {
		char *what = format("%s: cut at every byte", form_name[form]);
		bool good = true;
		size_t size;
		size_t whole;

		start(&carrier, form);
		for (i = 0; i < made.count; i++)
			add(&carrier, form, &made.block[i]);
		whole = carrier.size;
		for (size = 0; size < whole; size++) {
			struct dump_receiver dump;
			struct error error = {""};
			int got;

			carrier.size = size;
			got = pull(&dump, &carrier, NULL, &error);
			/* The profile is still complete without the last newline or zero byte. */
			good &= got == 0 || (got == 1 && whole - size <= 2);
			good &= got != 0 || error.text[0];
			dump_receiver_free(&dump);
		}
		result(good, what);
		free(what);
	}
	buffer_free(&carrier);
}

static void test_lines(void)
{
	static const char *const ends[] = {
		"\n", "\r\n", "\r\r\n", "\r", "\n\n", "\r\n\r\n", " \r\n", "\x1b[0m\r\n", ""};
	static const char *const prefixes[] = {"", "[    1.234567] ", "<6>", "(XEN) ", "cpu1: @bp cpu2: ", "\x1b[32m",
		"\xff\xfe garbage ", "@bp:@bp:"};
	struct buffer carrier = {0};
	bool good = true;
	size_t end;
	size_t prefix;
	unsigned int i;

	for (end = 0; end < sizeof(ends) / sizeof(*ends); end++) {
		for (prefix = 0; prefix < sizeof(prefixes) / sizeof(*prefixes); prefix++) {
			carrier.size = 0;
			for (i = 0; i < made.count; i++)
				make_text(&carrier, &made.block[i], prefixes[prefix], ends[end]);
			/*
			 * Prefixes are not tested with lines that have no line end, because the prefix of the next line
			 * would then be read as base64.
			 */
			good &= *ends[end] || !prefix ? pulls(&carrier) : true;
		}
	}
	result(good, "text: prefixes before the marker, line ends of all kinds and none");
	buffer_free(&carrier);
}

static void test_dumps(void)
{
	struct buffer carrier = {0};
	struct dump_receiver dump;
	struct error error = {""};
	char *older = format("an older dump is complete: --dump %08x", other.tag);
	char tag[9];
	unsigned int i;

	for (i = 0; i < made.count; i++) {
		make_text(&carrier, &other.block[i], "", "\r\n");
		make_text(&carrier, &made.block[i], "", "\r\n");
	}
	result(pulls(&carrier), "two dumps interleaved: the one started last is taken");
	carrier.size = 0;
	for (i = 0; i < made.count; i++)
		make_text(&carrier, &other.block[i], "", "\r\n");
	for (i = 0; i + 1 < made.count; i++)
		make_text(&carrier, &made.block[i], "", "\r\n");
	result(is_refused(&carrier, older), "the last dump incomplete: refused, the older one named");
	result(is_refused(&carrier, "it ends after block"), "its end missing: it says that it breaks off");
	snprintf(tag, sizeof(tag), "%08x", other.tag);
	result(pull(&dump, &carrier, tag, &error) == 1, "the older one by its tag");
	dump_receiver_free(&dump);
	result(pull(&dump, &carrier, "123", &error) == 0 && strstr(error.text, "has no dump 00000123"),
		"a tag that is not there");
	dump_receiver_free(&dump);
	free(older);
	buffer_free(&carrier);
}

static void test_contradictions(void)
{
	static const struct {
		const char *what;
		struct make_options options;
		const char *why;
	} wrong[] = {
		{"format of the future", {.format = 2}, "capture format that this bareprof does not know"},
		{"claim of 2^60 bytes", {.claimed_stream = 1ull << 60}, "does not agree with BEGIN"},
		{"claim of 2^64-1 bytes", {.claimed_stream = UINT64_MAX}, "does not agree with BEGIN"},
		{"too few bytes in a block", {.bad_raw = 4}, "does not have the number of bytes"},
		{"END with another index", {.bad_end = true}, "does not agree with BEGIN"},
		{"version word that the profile does not have", {.version = 8}, "differ in the version"},
	};
	struct buffer carrier = {0};
	struct buffer strange = {0};
	unsigned int i;
	size_t w;

	for (w = 0; w < sizeof(wrong) / sizeof(*wrong); w++) {
		struct made bad;

		make_dump(&bad, profile, wrong[w].options);
		carrier.size = 0;
		for (i = 0; i < bad.count; i++)
			make_text(&carrier, &bad.block[i], "", "\n");
		result(is_refused(&carrier, wrong[w].why), wrong[w].what);
		made_free(&bad);
	}
	carrier.size = 0;
	for (i = 0; i < made.count; i++)
		make_text(&carrier, &made.block[i], "", "\n");
	make_block(&strange, 0x90, 0, 7, made.tag, (struct bytes){(const uint8_t *)"x", 1});
	make_text(&carrier, &strange, "", "\n");
	result(pulls(&carrier), "unknown block that may be ignored");
	strange.size = 0;
	make_block(&strange, 0x10, 0, 7, made.tag, (struct bytes){(const uint8_t *)"x", 1});
	make_text(&carrier, &strange, "", "\n");
	result(is_refused(&carrier, "has a type that this bareprof does not know"),
		"unknown block that may not be ignored");
	buffer_free(&strange);
	carrier.size = 0;
	result(is_refused(&carrier, "contains no dump"), "empty input");
	buffer_add_text(&carrier, "nothing here\nbut text\n");
	result(is_refused(&carrier, "contains no dump"), "text without a dump");
	make_text(&carrier, &made.block[2], "", "\n");
	carrier.data[carrier.size - 9] ^= 1;
	result(is_refused(&carrier, "but all of them are damaged"), "only a damaged line");
	buffer_free(&carrier);
}

static void test_images(void)
{
	struct buffer carrier = {0};
	struct made second;
	unsigned int i;

	make_dump(&second, profile, (struct make_options){.nonce = 9, .image = 1});
	for (i = 0; i < made.count; i++) {
		make_text(&carrier, &made.block[i], "", "\n");
		make_text(&carrier, &second.block[i], "", "\n");
	}
	result(is_refused(&carrier, "has dumps of several images, such as 0 and 1"), "two images in one input");
	made_free(&second);
	buffer_free(&carrier);
}

/* Damages the text line from offset @from to the end of @out as consoles do. */
static void hurt(struct buffer *out, size_t from, uint64_t *random)
{
	size_t n = out->size - from - 2; /* the size without the line end */
	size_t at = from + make_random(random) % n;

	switch (make_random(random) % 5) {
	case 0: /* one bit of a character flips */
		out->data[at] ^= (uint8_t)(1u << make_random(random) % 7);
		break;
	case 1: /* one character is lost */
		memmove(out->data + at, out->data + at + 1, out->size - at - 1);
		out->size--;
		break;
	case 2: /* the line is cut and has no line end, so the next line continues it */
		out->size = at;
		break;
	case 3: { /* a line of the log appears in the middle of this line */
		struct buffer tail = {0};

		buffer_add(&tail, out->data + at, out->size - at);
		out->size = at;
		buffer_add_text(out, "[ 12.5] link is up\r\n");
		buffer_add(out, tail.data, tail.size);
		buffer_free(&tail);
		break;
	}
	default: /* the whole line is lost */
		out->size = from;
	}
}

/* Damages about @permille of 1000 lines. Returns true if the error names every lost block and no other block. */
static bool round_of(uint64_t seed, unsigned int permille, unsigned int *lost)
{
	struct buffer carrier = {0};
	struct dump_receiver dump;
	struct error error = {""};
	bool is_hurt[MADE_BLOCKS_MAX] = {false};
	bool good = true;
	unsigned int i;
	size_t r;
	int got;

	for (i = 0; i < made.count; i++) {
		size_t from = carrier.size;

		make_text(&carrier, &made.block[i], "", "\r\n");
		is_hurt[i] = make_random(&seed) % 1000 < permille;
		if (is_hurt[i])
			hurt(&carrier, from, &seed);
		/* If a line is cut short, the next line is not damaged, because it starts with a marker. */
	}
	got = pull(&dump, &carrier, NULL, &error);
	good = got >= 0;
	if (got == 0 && dump.capture.sent_count) {
		struct sent_dump *sent_dump = &dump.capture.sent_dumps[0];

		for (r = 0; r < sent_dump->missing_count && good; r++) {
			uint64_t index;

			for (index = sent_dump->missing[r].first; index <= sent_dump->missing[r].last && good;
				index++) {
				good = index < made.count && is_hurt[index];
				if (good)
					make_text(&carrier, &made.block[index], "", "\r\n");
				++*lost;
			}
		}
		if (!sent_dump->last) {
			/* If BEGIN and END are both lost, the error must say that more blocks may be missing. */
			good = good && strstr(error.text, "END is missing too, so more blocks may be missing");
			for (i = made.count; i-- && is_hurt[i];)
				make_text(&carrier, &made.block[i], "", "\r\n");
		}
		/* After the target sends the blocks that the error names again, the dump is complete. */
		good = good && pulls(&carrier);
	}
	if (!good)
		printf("    round %llu: %s\n", (unsigned long long)seed, error.text);
	dump_receiver_free(&dump);
	buffer_free(&carrier);
	return good;
}

static void test_rounds(void)
{
	unsigned int lost = 0;
	unsigned int bad = 0;
	uint64_t round;
	char *what;

	for (round = 1; round <= 1000; round++)
		bad += !round_of(round * 7919, 10, &lost);
	for (round = 1; round <= 200; round++)
		bad += !round_of(round * 104729, 300, &lost);
	what = format("1000 rounds with 1 %% and 200 with 30 %% of %u lines damaged: %u blocks lost, all named",
		made.count, lost);
	result(!bad && lost > 100, what);
	free(what);
}

/* Damages bytes of a capture file. All undamaged blocks after the damage must be found. */
static void test_file_damage(void)
{
	struct buffer carrier = {0};
	uint64_t random = 5;
	bool good = true;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < 500 && good; round++) {
		struct dump_receiver dump;
		struct error error = {""};
		unsigned int victim = 1 + (unsigned int)(make_random(&random) % (made.count - 2));

		start(&carrier, FILES);
		for (i = 0; i < made.count; i++) {
			size_t from = carrier.size;

			add(&carrier, FILES, &made.block[i]);
			if (i == victim)
				carrier.data[from + make_random(&random) % made.block[i].size] ^=
					(uint8_t)(1 + make_random(&random) % 255);
		}
		good = pull(&dump, &carrier, NULL, &error) == 0 && dump.capture.sent_count == 1 &&
		       dump.capture.sent_dumps->missing_count == 1 &&
		       dump.capture.sent_dumps->missing->first == victim &&
		       dump.capture.sent_dumps->missing->last == victim;
		dump_receiver_free(&dump);
	}
	result(good, "file: a damaged byte costs its block only (500 rounds)");
	buffer_free(&carrier);
}

int main(void)
{
	make_profile(&original, 60, 1);
	profile = (struct bytes){original.data, original.size};
	make_dump(&made, profile, (struct make_options){.nonce = 1});
	make_dump(&other, profile, (struct make_options){.nonce = 2});
	test_forms();
	test_cuts();
	test_lines();
	test_dumps();
	test_contradictions();
	test_images();
	test_rounds();
	test_file_damage();
	made_free(&made);
	made_free(&other);
	buffer_free(&original);
	return failures != 0;
}
