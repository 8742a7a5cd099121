/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_feed.c KIND [OPTION VALUE]... -- COMMAND... - a target that talks, and a
 * COMMAND that listens: {} in its words is where. Says standard input, and ends
 * with the command's status. KIND is pty, tcp or unix. Options:
 *
 *   rate N     so many baud: that is the pace, and another rate gets garbage
 *   hurt SEED  damage 1 % of the dump's lines; lost FILE: their numbers
 *   await TEXT say nothing until that was typed; first TEXT: but this
 *   stop N     after N bytes: unplug; int N: after N bytes SIGINT to the command
 *   socket PATH, terminal FILE: what the command says on a terminal of its own
 */
#include "host_make.h"

#include <arpa/inet.h>
#include <bareprof/wire.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const char *rate;
static const char *seed;
static const char *lost;
static const char *await;
static const char *first;
static const char *stop;
static const char *interrupt;
static const char *path;
static const char *terminal;
static pid_t listener;

static void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(99);
}

static void pause_for(double seconds)
{
	struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&time, NULL);
}

/* Nobody listens any more: a terminal would let us wait for ever. */
static bool is_over(void)
{
	siginfo_t info = {0};

	return !waitid(P_PID, (id_t)listener, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

static void read_input(struct buffer *input)
{
	char piece[4096];
	size_t n;

	while ((n = fread(piece, 1, sizeof(piece), stdin)) > 0)
		buffer_add(input, piece, n);
}

/* A line that certainly does not arrive whole: @p of @n bytes, CR LF at its end. */
static void add_hurt(struct buffer *out, const uint8_t *p, size_t n, uint64_t *random)
{
	size_t half = 6 + make_random(random) % (n - 12);
	char other;

	switch (make_random(random) % 6) {
	case 0: /* a byte changed */
		other = p[half] == 'A' ? 'B' : 'A';
		buffer_add(out, p, half);
		buffer_add(out, &other, 1);
		buffer_add(out, p + half + 1, n - half - 1);
		break;
	case 1: /* a byte less */
		buffer_add(out, p, half);
		buffer_add(out, p + half + 1, n - half - 1);
		break;
	case 2: /* the end lost, line end too */
		buffer_add(out, p, half);
		break;
	case 3: /* a log line in its middle */
		buffer_add(out, p, half);
		buffer_add_text(out, "[   12.345678] irq 9: nobody cared\r\n");
		buffer_add(out, p + half, n - half);
		break;
	case 4: /* the marker */
		buffer_add_text(out, "\x80"
				     "bp:");
		buffer_add(out, p + 4, n - 4);
		break;
	default: /* gone */
		break;
	}
}

static void damage(struct buffer *input)
{
	uint64_t random = strtoull(seed, NULL, 10);
	FILE *numbers = fopen(lost, "w");
	struct buffer out = {0};
	const uint8_t *p = input->data;
	const uint8_t *end = p + input->size;
	unsigned int line = 0;

	need(numbers != NULL, lost);
	while (p < end) {
		const uint8_t *next = memchr(p, '\n', (size_t)(end - p));
		size_t n = next ? (size_t)(next + 1 - p) : (size_t)(end - p);

		if (n < 20 || memcmp(p, BAREPROF_TEXT_MARKER, 4)) {
			buffer_add(&out, p, n);
		} else if (make_random(&random) % 100) {
			buffer_add(&out, p, n);
			line++;
		} else {
			add_hurt(&out, p, n, &random);
			fprintf(numbers, "%u\n", line++);
		}
		p += n;
	}
	fclose(numbers);
	buffer_free(input);
	*input = out;
}

/* Wait until the listener has set the line up, and see how. */
static bool same_rate(int fd)
{
	static const struct {
		const char *text;
		speed_t speed;
	} known[] = {{"9600", B9600}, {"115200", B115200}, {"921600", B921600}};
	struct termios now;
	size_t i;

	do {
		pause_for(0.002);
		need(!tcgetattr(fd, &now), "tcgetattr");
	} while (now.c_lflag & ICANON && !is_over());
	for (i = 0; rate && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(rate, known[i].text))
			return known[i].speed == cfgetospeed(&now);
	return true;
}

static char *listen_at(const char *kind, int *fd)
{
	struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	socklen_t size = sizeof(tcp);
	char name[64];
	int slave;

	if (!strcmp(kind, "pty")) {
		need(!openpty(fd, &slave, name, NULL, NULL), "openpty");
		close(slave);
		return format("%s", name);
	}
	*fd = socket(!strcmp(kind, "tcp") ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	need(*fd >= 0, "socket");
	if (!strcmp(kind, "tcp")) {
		need(!bind(*fd, (struct sockaddr *)&tcp, size) && !listen(*fd, 1), "listen");
		need(!getsockname(*fd, (struct sockaddr *)&tcp, &size), "getsockname");
		return format("127.0.0.1:%u", ntohs(tcp.sin_port));
	}
	snprintf(local.sun_path, sizeof(local.sun_path), "%s", path);
	unlink(path);
	need(!bind(*fd, (struct sockaddr *)&local, sizeof(local)) && !listen(*fd, 1), "listen");
	return format("%s", path);
}

static pid_t start(char **words, const char *where, int close_this, int err)
{
	pid_t pid = fork();
	int i;

	need(pid >= 0, "fork");
	if (pid)
		return pid;
	close(close_this);
	if (err >= 0)
		dup2(err, STDERR_FILENO);
	for (i = 0; words[i]; i++) {
		char *braces = strstr(words[i], "{}");

		if (braces)
			words[i] = format("%.*s%s%s", (int)(braces - words[i]), words[i], where, braces + 2);
	}
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	execvp(words[0], words);
	_exit(127);
}

static void await_text(int fd)
{
	char typed[256] = "";
	size_t have = 0;

	while (!strstr(typed, await) && !is_over()) {
		ssize_t n = read(fd, typed + have, sizeof(typed) - 1 - have);

		if (n <= 0) {
			/* A terminal without a listener says so until there is one. */
			pause_for(0.005);
			continue;
		}
		have += (size_t)n;
		typed[have] = 0;
	}
}

static void say(int fd, const struct buffer *input, size_t from, size_t to)
{
	/* 10 bits a byte; a piece a time, as a UART's queue gives them out. */
	size_t step = rate ? 64 : 16384;

	while (from < to) {
		ssize_t n = write(fd, input->data + from, to - from < step ? to - from : step);

		if (n < 0 && ((errno != EAGAIN && errno != EINTR) || is_over()))
			return;
		if (n < 0)
			pause_for(0.001);
		if (n > 0)
			from += (size_t)n;
		if (rate && n > 0)
			pause_for((double)n * 10 / atof(rate));
	}
}

static const char **option(const char *name)
{
	static const struct {
		const char *name;
		const char **value;
	} options[] = {{"rate", &rate}, {"hurt", &seed}, {"lost", &lost}, {"await", &await}, {"first", &first},
		{"stop", &stop}, {"int", &interrupt}, {"socket", &path}, {"terminal", &terminal}};
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i].name, name))
			return options[i].value;
	fprintf(stderr, "host_feed: %s?\n", name);
	exit(99);
}

static void copy_terminal(int fd)
{
	FILE *file = fopen(terminal, "w");
	char piece[4096];
	ssize_t n;

	need(file != NULL, terminal);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		fwrite(piece, 1, (size_t)n, file);
	fclose(file);
}

int main(int argc, char **argv)
{
	struct buffer input = {0};
	int screen[2] = {-1, -1};
	int status;
	int fd;
	size_t at;
	size_t i;
	char *where;
	int word;

	for (word = 2; word + 1 < argc && strcmp(argv[word], "--"); word += 2)
		*option(argv[word]) = argv[word + 1];
	signal(SIGPIPE, SIG_IGN);
	alarm(20);
	read_input(&input);
	if (seed)
		damage(&input);
	where = listen_at(argv[1], &fd);
	if (terminal)
		need(!openpty(&screen[0], &screen[1], NULL, NULL, NULL), "openpty");
	listener = start(argv + word + 1, where, fd, screen[1]);
	if (screen[1] >= 0)
		close(screen[1]);
	if (strcmp(argv[1], "pty")) {
		int listening = fd;

		fd = accept(listening, NULL, NULL);
		close(listening);
		need(fd >= 0, "accept");
	} else if (!same_rate(fd)) {
		for (i = 0; i < input.size; i++)
			input.data[i] = (uint8_t)(input.data[i] * 37 | 0x80);
	}
	need(!fcntl(fd, F_SETFL, O_NONBLOCK), "fcntl");
	if (first)
		need(write(fd, first, strlen(first)) > 0, "write");
	if (await)
		await_text(fd);
	at = stop || interrupt ? (size_t)atol(stop ? stop : interrupt) : input.size;
	say(fd, &input, 0, at < input.size ? at : input.size);
	if (stop || interrupt)
		pause_for(0.3);
	if (interrupt)
		kill(listener, SIGINT);
	/* What a terminal has not yet given out is lost when it is closed. */
	if (stop || strcmp(argv[1], "pty"))
		close(fd);
	waitpid(listener, &status, 0);
	if (terminal)
		copy_terminal(screen[0]);
	buffer_free(&input);
	free(where);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
