/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * feed.c KIND [OPTION VALUE]... -- COMMAND... - starts COMMAND, which must listen. Then feed sends its own standard
 * input to COMMAND, as a target would. {} in the arguments of COMMAND is replaced by the path or address to listen to.
 * feed exits with the status of COMMAND. KIND is pty, tcp or unix. Options:
 *
 *   rate N         send at N baud. A listener that has set another rate gets the bytes
 *                  that a UART would sample
 *   zeros 1        with rate: the UART gives a zero byte for each framing error
 *   await TEXT     send nothing until the listener has sent TEXT
 *   first TEXT     send TEXT before the wait of await
 *   typed FILE     write what the listener sent, up to the end of await's TEXT, to FILE
 *   stop N         close the line after N bytes
 *   abort N        reset the connection after N bytes
 *   int N          send SIGINT to the command after N bytes
 *   pause N        send nothing for 1.5 seconds after N bytes
 *   socket PATH    the path of the socket, for unix
 *   terminal FILE  give the command a terminal as standard error, and copy its output to FILE
 */
#include "listen.h"
#include "wire.h"

#include <errno.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *rate;
static const char *zeros;
static const char *await;
static const char *typed;
static const char *first;
static const char *stop;
static const char *abort_at;
static const char *interrupt;
static const char *pause_at;
static const char *path;
static const char *terminal;

static void read_input(struct buffer *input)
{
	char piece[4096];
	size_t n;

	while ((n = fread(piece, 1, sizeof(piece), stdin)) > 0)
		buffer_add(input, piece, n);
}

static void write_file(const char *name, const void *data, size_t n)
{
	FILE *file = fopen(name, "w");

	need(file && fwrite(data, 1, n, file) == n && !fclose(file), name);
}

static void await_text(struct listener *listener)
{
	char text[256] = "";
	size_t have = 0;

	while (!memmem(text, have, await, strlen(await)) && have < sizeof(text) && !listener_over(listener)) {
		ssize_t n = read(listener->fd, text + have, sizeof(text) - have);

		/* read() on a terminal fails until the listener has opened the terminal. So wait and try again. */
		if (n <= 0)
			wire_pause(0.005);
		else
			have += (size_t)n;
	}
	if (typed)
		write_file(typed, text, have);
}

static const char **option(const char *name)
{
	static const struct {
		const char *name;
		const char **value;
	} options[] = {{"rate", &rate}, {"zeros", &zeros}, {"await", &await}, {"typed", &typed}, {"first", &first},
		{"stop", &stop}, {"abort", &abort_at}, {"int", &interrupt}, {"pause", &pause_at}, {"socket", &path},
		{"terminal", &terminal}};
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!strcmp(options[i].name, name))
			return options[i].value;
	fprintf(stderr, "host_feed: %s?\n", name);
	exit(99);
}

static void copy_terminal(int fd)
{
	struct buffer text = {0};
	char piece[4096];
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))) > 0)
		buffer_add(&text, piece, (size_t)n);
	write_file(terminal, text.data, text.size);
	buffer_free(&text);
}

/* Replaces @input by the bytes that a listener at @baud receives. */
static void resample(struct buffer *input, double baud)
{
	struct buffer arrives = {0};

	wire_resample(&arrives, (struct bytes){input->data, input->size}, atof(rate), baud, zeros);
	buffer_free(input);
	*input = arrives;
}

/* Sends all bytes, and interrupts the transmission as the options require. */
static void talk(struct listener *listener, const struct buffer *input, double baud)
{
	const char *at_text = stop ? stop : abort_at ? abort_at : interrupt ? interrupt : pause_at;
	size_t at = at_text ? (size_t)atol(at_text) : input->size;

	if (at > input->size)
		at = input->size;
	wire_say(listener->fd, (struct bytes){input->data, at}, baud, listener_over, listener);
	if (!at_text)
		return;
	wire_pause(pause_at ? 1.5 : 0.3);
	if (interrupt)
		kill(listener->pid, SIGINT);
	if (pause_at)
		wire_say(listener->fd, (struct bytes){input->data + at, input->size - at}, baud, listener_over,
			listener);
}

int main(int argc, char **argv)
{
	const struct linger at_once = {1, 0};
	struct buffer input = {0};
	struct listener listener;
	int screen[2] = {-1, -1};
	double baud;
	int status;
	int word;

	for (word = 2; word + 1 < argc && strcmp(argv[word], "--"); word += 2)
		*option(argv[word]) = argv[word + 1];
	signal(SIGPIPE, SIG_IGN);
	alarm(30);
	read_input(&input);
	listener_place(&listener, argv[1], path);
	if (terminal)
		need(!openpty(&screen[0], &screen[1], NULL, NULL, NULL), "openpty");
	listener_start(&listener, argv + word + 1, -1, screen[1]);
	if (screen[1] >= 0)
		close(screen[1]);
	baud = listener_ready(&listener);
	if (rate && baud > 0 && atof(rate) != baud)
		resample(&input, baud);
	if (first)
		need(write(listener.fd, first, strlen(first)) > 0, "write");
	if (await)
		await_text(&listener);
	talk(&listener, &input, rate ? baud : 0);
	if (abort_at)
		need(!setsockopt(listener.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), "setsockopt");
	/* If the terminal were closed here, the bytes that the listener has not yet read would be lost. */
	if (stop || !listener.terminal)
		close(listener.fd);
	status = listener_end(&listener);
	if (terminal)
		copy_terminal(screen[0]);
	buffer_free(&input);
	return status;
}
