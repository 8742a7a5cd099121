/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rounds.c BAREPROF FOLDER FIRST COUNT PERMILLE [PROFRAW]... - runs COUNT rounds, many of them at the same time.
 * Their seeds are FIRST, FIRST + 1 and so on. In each round `bareprof pull` listens to a simulated target on a pseudo
 * terminal at 115200 baud. The target dumps profiles (the PROFRAW files or generated ones) between lines of its log.
 * PERMILLE is the number of damaged lines in every 1000 lines of a dump.
 *
 * A block has arrived if its line is on the wire unchanged. If all blocks of a dump have arrived, pull must write the
 * same profile. Otherwise, pull must name each missing block and no other block, and write nothing. To run one round
 * again, give its seed as FIRST and a COUNT of 1. The program then keeps the bytes on the wire and the outputs of
 * pull.
 */
#include "exit.h"
#include "listen.h"
#include "round.h"
#include "wire.h"
#include "input.h"
#include "raw_open.h"
#include "raw_profile.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE    25
#define ROUNDS_MAX 4096
#define MADE       8 /* number of generated profiles */
#define LAST_WORDS "== end =="

struct source {
	struct bytes profile;
	struct make_about about;
};

static struct source sources[64];
static unsigned int source_count;

static uint64_t random_below(struct round *round, uint64_t limit)
{
	return make_random(&round->random) % limit;
}

static void add_log(struct round *round)
{
	while (random_below(round, 100) < 25) {
		buffer_printf(&round->wire, "[%5u.%06u] eth0: line %u of the log, as the target says it%s",
			round->logs / 7, (unsigned int)random_below(round, 1000000), round->logs, round->line_end);
		round->logs++;
	}
}

static void add_block(struct round *round, const struct sent *sent, unsigned int index)
{
	struct buffer line = {0};

	add_log(round);
	make_text(&line, &sent->made.block[index], random_below(round, 50) ? "" : "<6>[    1.25] ", round->line_end);
	if (random_below(round, 1000) < round->permille)
		wire_hurt(&round->wire, (struct bytes){line.data, line.size}, &round->random);
	else
		buffer_add(&round->wire, line.data, line.size);
	round->outcome->lines++;
	buffer_free(&line);
}

static void add_dump(struct round *round, const struct sent *sent)
{
	unsigned int i;

	for (i = 0; i < (sent->start ? sent->start : sent->made.count); i++)
		add_block(round, sent, i);
}

static void add_turns(struct round *round)
{
	unsigned int i;

	for (i = 0; i < round->sent[0].made.count || i < round->sent[1].made.count; i++) {
		if (i < round->sent[0].made.count)
			add_block(round, &round->sent[0], i);
		if (i < round->sent[1].made.count)
			add_block(round, &round->sent[1], i);
	}
}

static void talk(struct round *round)
{
	struct sent *sent = round->sent;

	if (round->way == RESET)
		sent[0].start = 1 + (unsigned int)random_below(round, sent[0].made.count - 1);
	buffer_printf(&round->wire, "a target with seed %" PRIu64 "%s", round->seed, round->line_end);
	if (round->way == IN_TURNS) {
		add_turns(round);
	} else {
		add_dump(round, &sent[0]);
		if (round->way == RESET)
			buffer_printf(
				&round->wire, "@bp:AgAB\xff\xf0%sbooting again%s", round->line_end, round->line_end);
		if (round->way == TWICE)
			add_dump(round, &sent[0]);
		else if (round->way != ONCE)
			add_dump(round, &sent[1]);
	}
	buffer_printf(&round->wire, "%s" LAST_WORDS "%s", round->line_end, round->line_end);
}

static void listen_and_check(struct round *round, const char *program)
{
	char *profile = format("%s/profile", round->folder);
	char *tag = format("%08x", round->sent[1].made.tag);
	char *const words[] = {(char *)(uintptr_t)program, "pull", "tty:{}@115200", "-o", profile, "--until",
		LAST_WORDS, round->way == IN_TURNS ? "--dump" : NULL, tag, NULL};
	int out = listener_file(round->folder, "out");
	int err = listener_file(round->folder, "err");
	int wire = listener_file(round->folder, "wire");
	struct listener listener;

	need(write(wire, round->wire.data, round->wire.size) == (ssize_t)round->wire.size, "wire");
	close(wire);
	listener_place(&listener, "pty", NULL);
	listener_start(&listener, words, out, err);
	if (listener_ready(&listener) != ROUND_BAUD)
		round_fail(round, "it did not set the rate", "");
	round->outcome->bytes = (unsigned int)round->wire.size;
	round->outcome->seconds = wire_say(
		listener.fd, (struct bytes){round->wire.data, round->wire.size}, ROUND_BAUD, listener_over, &listener);
	round_check(round, listener_end(&listener));
	close(listener.fd);
	close(out);
	close(err);
	free(profile);
	free(tag);
}

/* Runs one round in a process of its own. Returns its exit status: 0 if the round passed. */
static int run_round(struct round *round, const char *program)
{
	static const char *const line_ends[] = {"\r\n", "\n", "\r\r\n", "\n\r"};
	static const unsigned int spans[] = {24, 48, 64, 128};
	unsigned int i;

	alarm(60);
	round->random = round->seed;
	round->way = (enum way)random_below(round, WAYS);
	round->line_end = line_ends[random_below(round, 4)];
	round->good = true;
	for (i = 0; i < 2; i++) {
		const struct source *source = &sources[random_below(round, source_count)];
		struct sent *sent = &round->sent[i];

		sent->profile = source->profile;
		make_dump(&sent->made, sent->profile,
			(struct make_options){.about = &source->about,
				.nonce = round->seed * 2 + i,
				.span = spans[random_below(round, 4)]});
	}
	talk(round);
	for (i = 0; i < 2; i++)
		round_arrived(round, &round->sent[i]);
	listen_and_check(round, program);
	fflush(stdout);
	return !round->good;
}

static void add_source(const char *name, struct bytes bytes)
{
	struct source *source = &sources[source_count++];
	struct raw_profile profile;
	struct error error;

	if (raw_open(&profile, bytes, 0, &error) != STATUS_OK) {
		error_print(name, &error);
		exit(99);
	}
	source->profile = bytes;
	source->about = (struct make_about){profile.width, profile.big, profile.version_word, profile.build_id};
}

static void add_sources(char **paths)
{
	unsigned int i;

	for (i = 0; i < MADE; i++) {
		struct buffer made = {0};

		make_profile(&made, 2 + 5 * i, i);
		add_source("made", (struct bytes){made.data, made.size});
	}
	for (; *paths; paths++) {
		struct input input;
		struct error error;

		need(source_count < sizeof(sources) / sizeof(*sources), "too many profiles");
		need(input_read(&input, *paths, &error) == STATUS_OK, *paths);
		add_source(*paths, input.bytes);
	}
}

static void remove_files(const char *folder)
{
	char *command = format("rm -rf '%s'", folder);

	need(!system(command), command);
	free(command);
}

/*
 * Returns the command that runs only the round with @seed. The command has the same PROFRAW files, because the random
 * numbers depend on them.
 */
static char *again(char **argv, uint64_t seed)
{
	struct buffer text = {0};
	int i;

	buffer_printf(&text, "%s %s %s %" PRIu64 " 1", argv[0], argv[1], argv[2], seed);
	for (i = 5; argv[i]; i++)
		buffer_printf(&text, " %s", argv[i]);
	buffer_string(&text);
	return (char *)text.data;
}

/* Runs the rounds, AT_ONCE of them at the same time. When a round has ended, the next round starts. */
static unsigned int run_rounds(char **argv, uint64_t first, unsigned int count, struct outcome *outcomes)
{
	unsigned int started = 0;
	unsigned int running = 0;
	unsigned int bad = 0;
	int status;

	while (started < count || running) {
		if (started < count && running < AT_ONCE) {
			struct round *round = allocate(1, sizeof(*round));
			pid_t pid;

			round->seed = first + started;
			round->permille = (unsigned int)atoi(argv[5]);
			round->folder = format("%s/%" PRIu64, argv[2], round->seed);
			round->command = again(argv, round->seed);
			round->outcome = &outcomes[started++];
			remove_files(round->folder);
			need(!mkdir(round->folder, 0777), round->folder);
			pid = fork();
			need(pid >= 0, "fork");
			if (!pid) {
				status = run_round(round, argv[1]);
				if (!status && count > 1)
					remove_files(round->folder);
				_exit(status);
			}
			free(round->folder);
			free(round->command);
			free(round);
			running++;
			continue;
		}
		need(wait(&status) > 0, "wait");
		running--;
		bad += status != 0;
	}
	return bad;
}

int main(int argc, char **argv)
{
	struct outcome total = {0};
	struct outcome *outcomes;
	unsigned int count;
	unsigned int bad;
	unsigned int i;

	if (argc < 6 || (count = (unsigned int)atoi(argv[4])) > ROUNDS_MAX)
		return 99;
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	add_sources(argv + 6);
	outcomes =
		mmap(NULL, ROUNDS_MAX * sizeof(*outcomes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	need(outcomes != MAP_FAILED, "mmap");
	bad = run_rounds(argv, strtoull(argv[3], NULL, 10), count, outcomes);
	for (i = 0; i < count; i++) {
		total.bytes += outcomes[i].bytes;
		total.lines += outcomes[i].lines;
		total.lost += outcomes[i].lost;
		total.whole += outcomes[i].whole;
		total.seconds += outcomes[i].seconds;
	}
	printf("%s - %u rounds at 115200 baud, %s per mille of %u lines damaged: %u profiles whole, %u blocks lost or "
	       "not sent, "
	       "%s; %.0f KB in %.0f s of line time, %.0f bytes/s\n",
		bad || (count > 99 && total.lost < count / 10) ? "not ok" : "ok", count, argv[5], total.lines,
		total.whole, total.lost, bad ? "see above" : "all named", total.bytes / 1000.0, total.seconds,
		total.bytes / total.seconds);
	return bad != 0;
}
