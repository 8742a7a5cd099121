/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listen.c - makes a terminal or a socket, starts a command that listens to it, and waits.
 */
#include "listen.h"
#include "wire.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(99);
}

int listener_file(const char *folder, const char *name)
{
	char *path = format("%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	need(fd >= 0, path);
	free(path);
	return fd;
}

static void place_terminal(struct listener *listener)
{
	char name[64];
	int slave;

	need(!openpty(&listener->fd, &slave, name, NULL, NULL), "openpty");
	need(fcntl(listener->fd, F_SETFD, FD_CLOEXEC) >= 0, "fcntl");
	close(slave);
	listener->where = format("%s", name);
}

static void place_socket(struct listener *listener, bool tcp, const char *path)
{
	struct sockaddr_in port = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	socklen_t size = sizeof(port);
	int fd = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	need(fd >= 0, "socket");
	listener->fd = fd;
	if (tcp) {
		need(!bind(fd, (struct sockaddr *)&port, size) && !listen(fd, 1), "listen");
		need(!getsockname(fd, (struct sockaddr *)&port, &size), "getsockname");
		listener->where = format("127.0.0.1:%u", ntohs(port.sin_port));
		return;
	}
	snprintf(local.sun_path, sizeof(local.sun_path), "%s", path);
	unlink(path);
	need(!bind(fd, (struct sockaddr *)&local, sizeof(local)) && !listen(fd, 1), "listen");
	listener->where = format("%s", path);
}

void listener_place(struct listener *listener, const char *kind, const char *path)
{
	*listener = (struct listener){.fd = -1, .terminal = !strcmp(kind, "pty")};
	if (listener->terminal)
		place_terminal(listener);
	else
		place_socket(listener, !strcmp(kind, "tcp"), path);
}

void listener_start(struct listener *listener, char *const *words, int out, int err)
{
	char **own;
	int count = 0;
	int i;

	while (words[count])
		count++;
	listener->pid = fork();
	need(listener->pid >= 0, "fork");
	if (listener->pid)
		return;
	own = allocate((size_t)count + 1, sizeof(*own));
	for (i = 0; i < count; i++) {
		char *braces = strstr(words[i], "{}");

		own[i] = braces ? format("%.*s%s%s", (int)(braces - words[i]), words[i], listener->where, braces + 2)
		                : words[i];
	}
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	if (err >= 0)
		dup2(err, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	execvp(own[0], own);
	_exit(127);
}

static double rate_of(speed_t speed)
{
	static const struct {
		double baud;
		speed_t speed;
	} known[] = {{9600, B9600}, {38400, B38400}, {57600, B57600}, {115200, B115200}, {230400, B230400},
		{921600, B921600}};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].speed == speed)
			return known[i].baud;
	return 0;
}

double listener_ready(struct listener *listener)
{
	struct termios now = {0};
	int listening = listener->fd;

	if (listener->terminal) {
		do {
			wire_pause(0.002);
			need(!tcgetattr(listener->fd, &now), "tcgetattr");
		} while (now.c_lflag & ICANON && !listener_over(listener));
	} else {
		listener->fd = accept(listening, NULL, NULL);
		close(listening);
		need(listener->fd >= 0, "accept");
	}
	need(!fcntl(listener->fd, F_SETFL, O_NONBLOCK), "fcntl");
	return listener->terminal ? rate_of(cfgetospeed(&now)) : 0;
}

bool listener_over(void *context)
{
	const struct listener *listener = context;
	siginfo_t info = {0};

	/*
	 * Only this check notices that the listener on a terminal has ended. Without the check, the test would wait for
	 * ever.
	 */
	return !waitid(P_PID, (id_t)listener->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

int listener_end(struct listener *listener)
{
	int status;

	need(waitpid(listener->pid, &status, 0) == listener->pid, "waitpid");
	free(listener->where);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
