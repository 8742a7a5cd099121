/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noise.c - checks that pull recognises a console that it reads at a wrong baud rate, and that the rates that pull then
 * proposes include the right rate. Output at the right rate, however strange it is, must never be mistaken for output
 * at a wrong rate.
 */
#include "make.h"
#include "wire.h"
#include "baud_detect.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The numbers of bytes that pull needs before it prints a message about the rate: LIVE while data arrives, END at the
 * end of the data. The same numbers are in pull_live.c.
 */
#define LIVE 512
#define END  32

static const unsigned int rates[] = {9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1500000};
#define RATES (sizeof(rates) / sizeof(*rates))

static int failures;

static void result(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
	failures += !good;
}

static void add_log(struct buffer *out, unsigned int lines)
{
	unsigned int i;

	for (i = 0; i < lines; i++)
		buffer_printf(out, "[%5u.%06u] usb 1-%u: new high-speed USB device number %u using xhci_hcd\r\n", i,
			i * 7919 % 1000000, i % 8, i);
}

static void add_dump(struct buffer *out, bool frames)
{
	static struct made made;
	struct buffer profile = {0};
	unsigned int i;

	make_profile(&profile, 40, 1);
	make_dump(&made, (struct bytes){profile.data, profile.size}, (struct make_options){.nonce = 1});
	for (i = 0; i < made.count; i++)
		if (frames)
			make_frame(out, &made.block[i]);
		else
			make_text(out, &made.block[i], "", "\r\n");
	made_free(&made);
	buffer_free(&profile);
}

/* Returns true if @rate is among the rates that pull proposes after it listened at @baud. */
static bool proposed(const struct baud_detect *noise, unsigned int baud, unsigned int rate)
{
	struct buffer text = {0};
	char *number = format("%u", rate);
	const char *at;

	source_propose(baud, baud_detect_factor(noise), &text);
	at = strstr(buffer_string(&text), number);
	/* If @number is found only as a part of a longer number, that does not count. */
	while (at && ((at > (char *)text.data && at[-1] != ' ') ||
			     (at[strlen(number)] && !strchr(", ", at[strlen(number)]))))
		at = strstr(at + 1, number);
	if (!at)
		printf("    %u heard at %u: factor %u, '%s'\n", rate, baud, baud_detect_factor(noise),
			buffer_string(&text));
	buffer_free(&text);
	free(number);
	return at;
}

static void test_wrong(const char *name, const struct buffer *said)
{
	unsigned int all = 0;
	unsigned int found = 0;
	unsigned int named = 0;
	char *what;
	size_t from;
	size_t to;
	int zeros;

	for (from = 0; from < RATES; from++)
		for (to = 0; to < RATES; to++)
			for (zeros = 0; zeros < 2 && from != to; zeros++) {
				struct buffer heard = {0};
				struct baud_detect noise = {0};

				wire_resample(
					&heard, (struct bytes){said->data, said->size}, rates[from], rates[to], zeros);
				baud_detect_add(&noise, (struct bytes){heard.data, heard.size});
				all++;
				if (baud_detect_is_wrong(&noise, END))
					found++;
				else
					printf("    %u heard at %u: %zu of %zu bytes strange\n", rates[from], rates[to],
						noise.strange, noise.total);
				named += proposed(&noise, rates[to], rates[from]);
				buffer_free(&heard);
			}
	what = format(
		"%s at a wrong rate: recognised in %u of %u cases, its rate proposed in %u", name, found, all, named);
	result(found == all && named == all, what);
	free(what);
}

/*
 * Feeds the output @said byte by byte, @times times. This output was received at the right rate. pull must not
 * mistake it for output at a wrong rate.
 */
static void test_right(const char *name, struct bytes said, unsigned int times)
{
	struct baud_detect noise = {0};
	bool good = true;
	size_t i;

	while (times--)
		for (i = 0; i < said.size; i++) {
			baud_detect_add(&noise, (struct bytes){said.data + i, 1});
			if (baud_detect_is_wrong(&noise, LIVE) && good)
				printf("    after %zu bytes: %zu strange, %zu controls, %zu lines\n", noise.total,
					noise.strange, noise.controls, noise.lines);
			good = good && !baud_detect_is_wrong(&noise, LIVE);
		}
	result(good && !baud_detect_is_wrong(&noise, END), name);
}

static void test_text(const char *name, const char *text, unsigned int times)
{
	test_right(name, (struct bytes){(const uint8_t *)text, strlen(text)}, times);
}

int main(void)
{
	struct buffer log = {0};
	struct buffer console = {0};
	struct buffer dump = {0};
	struct buffer loader = {0};

	add_log(&log, 90);
	add_log(&console, 40);
	add_dump(&console, false);
	add_log(&console, 20);
	add_dump(&dump, false);
	test_wrong("a log", &log);
	test_wrong("a log with a dump in it", &console);
	test_right("a log with a dump in it is none", (struct bytes){console.data, console.size}, 1);
	test_right("a dump is none", (struct bytes){dump.data, dump.size}, 1);
	test_text("German text is none",
		"Die Gr\xc3\xb6\xc3\x9f"
		"e l\xc3\xa4sst sich \xc3\xa4ndern.\r\n",
		99);
	test_text("Russian text is none",
		"\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 \xd0\xbc\xd0\xb8\xd1\x80\r\n", 99);
	test_text("Japanese text without line ends is none",
		"\xe8\xa1\x8c\xe7\x95\xaa\xe5\x8f\xb7\xe3\x81\xa7\xe3\x81\x99", 99);
	test_text("Russian text in KOI8-R is none", "\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2\r\n", 99);
	test_text("Latin-1 text is none",
		"[    0.5] Gr\xf6\xdf"
		"e ge\xe4ndert\r\n",
		99);
	test_text("colours are none", "\x1b[32mok\x1b[0m \x1b[1;31mfailed\x1b[0m\x1b[K\r\n", 99);
	test_text("a screen drawn with cursor movements is none",
		"\x1b[2J\x1b[12;40H+--+\x1b[13;40H|ok|\x1b[14;40H+--+", 99);
	test_text("a spinner is none", "\b|\b/\b-\b\\", 999);
	test_text("boxes of a PC's boot menu are none",
		"\xc9\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xbb\r\n\xba boot me "
		"\xba\r\n\xc8\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xbc\r\n",
		99);
	test_text("lines with bell and XON are none", "\a\x11ready, type a command\r\n", 99);
	/* The boot ROM sends at another rate than the boot loader that follows it. */
	wire_resample(&loader, (struct bytes){log.data, 300}, 74880, 115200, false);
	buffer_add(&loader, "\0\0\xff\xfe\x7f", 5);
	add_log(&loader, 4);
	test_right("a boot ROM at another rate, then the loader, is none", (struct bytes){loader.data, loader.size}, 1);
	buffer_free(&log);
	buffer_free(&console);
	buffer_free(&dump);
	buffer_free(&loader);
	return failures != 0;
}
