/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * badline.c BAREPROF FOLDER FIRST COUNT [OPTION VALUE]... - runs COUNT rounds with the seeds FIRST, FIRST + 1 and so on,
 * several at the same time. In each round, `bareprof pull --ask` and a target (target.c) talk over a line that loses,
 * damages, cuts and repeats lines, in both directions. pull must end with 0, and write all counters as the target has
 * them. Options:
 *
 *   drop N      of 1000 lines, N are lost
 *   damage N    of 1000 lines, N are damaged: bytes are changed, lost or added, or the line is cut
 *   repeat N    of 1000 lines, N arrive twice
 *   size N      bytes of counters; 0: from 160 to 16000, by the seed
 *   log N       N % of the blocks come after a line of the target's log
 *   habit H     answers, repeats (the target cannot hear) or silent (pull must give up)
 *   pause N     with repeats: milliseconds between two transmissions. pull then gets --wait 9
 *   most N      the blocks that are sent again may be at most N % of those that got lost first, in all rounds together
 *
 * To run one round again, give its seed as FIRST and a COUNT of 1.
 */
#include "clock.h"
#include "input.h"
#include "listen.h"
#include "make.h"
#include "scan.h"
#include "sent_dump.h"
#include "target.h"
#include "wire.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE    12
#define ROUNDS_MAX 4096

static unsigned int drop, damage, repeat, log_percent, pause_ms, most = 150;
static size_t size;
static enum habit habit;

/* The counts of a round. They are in memory that the process of the round shares with its parent. */
struct outcome {
	struct target_log target;
	unsigned int lost; /* number of blocks of the first transmission that did not arrive */
	unsigned int typed; /* number of lines that pull typed */
	bool good;
};

/* One direction of the line. Bytes are passed on as whole lines. */
struct way {
	int from;
	int to;
	struct buffer line;
};

struct round {
	uint64_t seed;
	uint64_t random;
	char *folder;
	struct outcome *outcome;
	struct target target;
	struct listener listener;
	struct way ways[2]; /* to the target, from the target */
	struct buffer first; /* the first transmission, as it arrives */
	unsigned int passed; /* number of blocks that have passed the line */
	unsigned int blocks; /* number of blocks in the first transmission */
};

static void fail(const struct round *round, const char *what)
{
	printf("not ok - round %" PRIu64 ": %s; see %s\n", round->seed, what, round->folder);
}

static void write_all(struct round *round, int fd, const struct buffer *bytes)
{
	wire_say(fd, (struct bytes){bytes->data, bytes->size}, 0, listener_over, &round->listener);
}

/* Passes a line on, perhaps damaged. */
static void pass(struct round *round, struct way *way)
{
	unsigned int fate = (unsigned int)(make_random(&round->random) % 1000);
	struct bytes line = {way->line.data, way->line.size};
	struct buffer out = {0};

	if (fate >= drop && fate < drop + damage && line.size > 4)
		wire_hurt(&out, line, &round->random);
	else if (fate >= drop)
		buffer_add(&out, line.data, line.size);
	if (fate >= drop + damage && fate < drop + damage + repeat)
		buffer_add(&out, line.data, line.size);
	if (way == &round->ways[0])
		round->outcome->typed++;
	else if (memmem(line.data, line.size, "@bp:", 4) && round->passed++ < round->blocks)
		buffer_add(&round->first, out.data, out.size);
	write_all(round, way->to, &out);
	buffer_free(&out);
	way->line.size = 0;
}

/* Reads what has arrived. Returns false if this end of the line is closed. */
static bool relay(struct round *round, struct way *way)
{
	uint8_t piece[4096];
	ssize_t n = read(way->from, piece, sizeof(piece));
	ssize_t i;

	if (n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	for (i = 0; i < n; i++) {
		buffer_add(&way->line, &piece[i], 1);
		if (piece[i] == '\n')
			pass(round, way);
	}
	return true;
}

/* Connects pull and the target until pull has ended. */
static void connect_ends(struct round *round)
{
	struct pollfd fds[2] = {{round->ways[0].from, POLLIN, 0}, {round->ways[1].from, POLLIN, 0}};

	while (!listener_over(&round->listener)) {
		unsigned int i;

		if (poll(fds, 2, 20) <= 0)
			continue;
		for (i = 0; i < 2; i++)
			if (fds[i].revents && !relay(round, &round->ways[i]))
				fds[i].fd = -1;
	}
}

static void mark(void *context, const struct block *block)
{
	bool *arrived = context;
	unsigned int i;

	for (i = 0; i < block_count(block) && block->index + i < MADE_BLOCKS_MAX; i++)
		arrived[block->index + i] = true;
}

/* Counts the blocks of the first transmission that did not arrive. */
static void count_lost(struct round *round)
{
	static bool arrived[MADE_BLOCKS_MAX];
	struct scan scan = {.block = mark, .context = arrived};
	struct buffer indices = {0};
	size_t i;

	target_first(&round->target, &indices);
	scan_bytes(&scan, (struct bytes){round->first.data, round->first.size});
	scan_free(&scan);
	for (i = 0; i < indices.size / sizeof(uint32_t); i++)
		round->outcome->lost += !arrived[((uint32_t *)(void *)indices.data)[i]];
	buffer_free(&indices);
}

/* Returns whether the file @path is a capture with the counters of the target. */
static bool has_counters(const struct round *round, const char *path)
{
	struct capture capture = {0};
	struct scan scan = {.block = capture_add, .context = &capture};
	struct sparse_buffer counters = {0};
	const struct buffer *expected = &round->target.counters;
	struct input input;
	struct error error;
	bool same;

	if (input_read(&input, path, &error) != STATUS_OK)
		return false;
	scan_bytes(&scan, input.bytes);
	capture_finish(&capture);
	same = capture.sent_count == 1 && capture.sent_dumps->state == DUMP_COMPLETE;
	if (same) {
		sent_dump_stream(&capture, capture.sent_dumps, BAREPROF_STREAM_COUNTERS, &counters);
		same = streams_size(&capture.sent_dumps->begin.streams, BAREPROF_STREAM_COUNTERS) == expected->size &&
		       !memcmp(counters.bytes.data, expected->data, expected->size);
		sparse_buffer_free(&counters);
	}
	scan_free(&scan);
	capture_free(&capture);
	input_free(&input);
	return same;
}

static void start_pull(struct round *round, const char *program, const char *path)
{
	bool pty = round->seed % 2;
	char *const words[] = {(char *)(uintptr_t)program, "pull", pty ? "tty:{}@115200" : "unix:{}", "-o",
		(char *)(uintptr_t)path, "--wait",
		habit == IS_SILENT ? "0.3"
		: pause_ms         ? "9"
				   : "3",
		"--send", "cov serve\\n", habit == REPEATS ? NULL : "--ask", "cov block %s\\n", NULL};
	char *socket = format("%s/socket", round->folder);
	int out = listener_file(round->folder, "out");
	int err = listener_file(round->folder, "err");

	listener_place(&round->listener, pty ? "pty" : "unix", socket);
	listener_start(&round->listener, words, out, err);
	listener_ready(&round->listener);
	close(out);
	close(err);
	free(socket);
}

/* Starts the target in a process of its own. Returns the process. */
static pid_t start_target(struct round *round)
{
	int ends[2];
	pid_t pid;

	need(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), "socketpair");
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		close(ends[0]);
		close(round->listener.fd);
		target_run(&round->target, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	round->ways[0] = (struct way){.from = round->listener.fd, .to = ends[0]};
	round->ways[1] = (struct way){.from = ends[0], .to = round->listener.fd};
	return pid;
}

/* Runs one round in a process of its own. */
static bool run_round(struct round *round, const char *program)
{
	char *path = format("%s/profile", round->folder);
	struct buffer indices = {0};
	bool good = false;
	pid_t pid;
	int status;

	alarm(300);
	round->random = round->seed * 2 + 1;
	round->target = (struct target){.random = round->seed,
		.habit = habit,
		.log_percent = log_percent,
		.pause = pause_ms / 1000.0,
		.log = &round->outcome->target};
	target_start(&round->target, size ? size : 160 + 8 * (make_random(&round->random) % 1980));
	if (size)
		round->target.block_size = 1024;
	target_first(&round->target, &indices);
	round->blocks = (unsigned int)(indices.size / sizeof(uint32_t));
	start_pull(round, program, path);
	pid = start_target(round);
	connect_ends(round);
	status = listener_end(&round->listener);
	close(round->ways[0].to);
	close(round->ways[0].from);
	need(waitpid(pid, NULL, 0) == pid, "waitpid");
	count_lost(round);
	if (habit == IS_SILENT)
		good = round->outcome->lost ? status == 1 && access(path, F_OK) : !status;
	else if (status)
		fail(round, "pull failed");
	else if (!has_counters(round, path))
		fail(round, "the counters are not those of the target");
	else
		good = true;
	if (habit == IS_SILENT && !good)
		fail(round, "pull did not give up");
	free(path);
	buffer_free(&indices);
	return good;
}

static void remove_files(const char *folder)
{
	char *command = format("rm -rf '%s'", folder);

	need(!system(command), command);
	free(command);
}

/* Starts the round with @seed in a process of its own, which leaves its files only if it fails or is the only one. */
static void start_round(char **argv, uint64_t seed, bool alone, struct outcome *outcome)
{
	struct round round = {.seed = seed, .outcome = outcome};
	pid_t pid;

	round.folder = format("%s/%" PRIu64, argv[2], seed);
	remove_files(round.folder);
	need(!mkdir(round.folder, 0777), round.folder);
	pid = fork();
	need(pid >= 0, "fork");
	if (!pid) {
		outcome->good = run_round(&round, argv[1]);
		fflush(stdout);
		if (outcome->good && !alone)
			remove_files(round.folder);
		_exit(!outcome->good);
	}
	free(round.folder);
}

static void read_option(const char *name, const char *value)
{
	static const char *const habits[] = {"answers", "repeats", "silent"};
	const struct {
		const char *name;
		unsigned int *value;
	} numbers[] = {{"drop", &drop}, {"damage", &damage}, {"repeat", &repeat}, {"log", &log_percent},
		{"pause", &pause_ms}, {"most", &most}};
	unsigned int i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strcmp(name, numbers[i].name))
			*numbers[i].value = (unsigned int)atoi(value);
	if (!strcmp(name, "size"))
		size = (size_t)atol(value);
	for (i = 0; i < 3 && !strcmp(name, "habit"); i++)
		if (!strcmp(value, habits[i]))
			habit = (enum habit)i;
}

static int report(const struct outcome *outcomes, unsigned int count)
{
	struct outcome sum = {0};
	unsigned int good = 0;
	unsigned int worst = 0; /* percent */
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct outcome *one = &outcomes[i];

		good += one->good;
		sum.lost += one->lost;
		sum.typed += one->typed;
		sum.target.first += one->target.first;
		sum.target.again += one->target.again;
		sum.target.requests += one->target.requests;
		sum.target.refused += one->target.refused;
		if (one->lost && one->target.again * 100 / one->lost > worst)
			worst = one->target.again * 100 / one->lost;
	}
	printf("%s - %u of %u rounds complete and exact: %u blocks, %u lost first, %u sent again (%.2f times, worst "
	       "round "
	       "%.2f), %u lines typed, %u requests understood, %u refused\n",
		good == count ? "ok" : "not ok", good, count, sum.target.first, sum.lost, sum.target.again,
		sum.lost ? (double)sum.target.again / sum.lost : 0, worst / 100.0, sum.typed, sum.target.requests,
		sum.target.refused);
	if (habit != ANSWERS)
		return good != count;
	if ((uint64_t)sum.target.again * 100 <= (uint64_t)sum.lost * most)
		printf("ok - at most %u %% as many blocks were sent again as were lost\n", most);
	else
		printf("not ok - more than %u %% as many blocks were sent again as were lost\n", most);
	return good != count || (uint64_t)sum.target.again * 100 > (uint64_t)sum.lost * most;
}

int main(int argc, char **argv)
{
	struct outcome *outcomes;
	uint64_t first;
	unsigned int started = 0;
	unsigned int running = 0;
	unsigned int count;
	int i;

	if (argc < 5 || (count = (unsigned int)atoi(argv[4])) > ROUNDS_MAX)
		return 99;
	for (i = 5; i + 1 < argc; i += 2)
		read_option(argv[i], argv[i + 1]);
	first = strtoull(argv[3], NULL, 10);
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	outcomes =
		mmap(NULL, ROUNDS_MAX * sizeof(*outcomes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	need(outcomes != MAP_FAILED, "mmap");
	while (started < count || running) {
		if (started < count && running < AT_ONCE) {
			start_round(argv, first + started, count == 1, &outcomes[started]);
			started++;
			running++;
			continue;
		}
		need(wait(NULL) > 0, "wait");
		running--;
	}
	return report(outcomes, count);
}
