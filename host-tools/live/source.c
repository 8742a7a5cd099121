/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.c - opens a serial line (8N1, raw) or a socket as a file descriptor for poll().
 */
#include "source.h"
#include "arguments.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BAUD_DEFAULT 115200u
/* The time to wait until an address answers, in milliseconds. */
#define CONNECT_MAX 10000

static const struct rate {
	unsigned int baud;
	speed_t speed;
} rates[] = {
	{1200, B1200},
	{2400, B2400},
	{4800, B4800},
	{9600, B9600},
	{19200, B19200},
	{38400, B38400},
	{57600, B57600},
	{115200, B115200},
	{230400, B230400},
	{460800, B460800},
	{500000, B500000},
	{576000, B576000},
	{921600, B921600},
	{1000000, B1000000},
	{1152000, B1152000},
	{1500000, B1500000},
	{2000000, B2000000},
	{2500000, B2500000},
	{3000000, B3000000},
	{3500000, B3500000},
	{4000000, B4000000},
};

static const char *without_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) ? NULL : name + strlen(prefix);
}

bool source_is_live(const char *name)
{
	return without_prefix(name, "tty:") || without_prefix(name, "tcp:") || without_prefix(name, "unix:");
}

static enum status cannot(struct error *error, const char *what)
{
	return error_set(error, STATUS_SYSTEM, "cannot be %s: %s", what, strerror(errno));
}

static const struct rate *find_rate(const char *text)
{
	uint64_t baud;
	size_t i;

	if (!argument_number(text, 1, UINT32_MAX, &baud))
		return NULL;
	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		if (rates[i].baud == baud)
			return &rates[i];
	return NULL;
}

/* Sets 8 data bits, no parity, 1 stop bit and no flow control. The serial line then passes all bytes unchanged. */
static enum status set_line(struct source *source, speed_t speed, struct error *error)
{
	struct termios now;

	if (tcgetattr(source->fd, &source->before))
		return errno == ENOTTY ? error_set(error, STATUS_USAGE, "is not a serial line")
		                       : cannot(error, "set up");
	now = source->before;
	cfmakeraw(&now);
	now.c_cflag |= CS8 | CLOCAL | CREAD;
	now.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	if (cfsetispeed(&now, speed) || cfsetospeed(&now, speed) || tcsetattr(source->fd, TCSANOW, &now))
		return cannot(error, "set up");
	/*
	 * tcsetattr() also succeeds if it could make only some of the changes. So read the settings back and compare
	 * the rate.
	 */
	if (tcgetattr(source->fd, &now) || cfgetospeed(&now) != speed) {
		tcsetattr(source->fd, TCSANOW, &source->before);
		return error_set(error, STATUS_SYSTEM, "does not support %u baud; try another rate", source->baud);
	}
	return STATUS_OK;
}

static enum status open_tty(struct source *source, const char *name, struct error *error)
{
	const char *at = strrchr(name, '@');
	const struct rate *rate = find_rate(at ? at + 1 : "115200");
	char *device = format("%.*s", (int)(at ? at - name : (ptrdiff_t)strlen(name)), name);
	enum status status = STATUS_OK;

	source->baud = rate ? rate->baud : BAUD_DEFAULT;
	if (!rate)
		status = error_set(error, STATUS_USAGE, "'%s' is not a baud rate; use one such as 115200", at + 1);
	else if ((source->fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) < 0)
		status = cannot(error, "opened");
	else if (flock(source->fd, LOCK_EX | LOCK_NB))
		status = error_set(error, STATUS_SYSTEM, "is in use by another program: close that program");
	else
		status = set_line(source, rate->speed, error);
	free(device);
	return status;
}

/* Connects, and waits at most CONNECT_MAX. Returns false and sets errno if there is no connection. */
static bool connect_to(int fd, const struct sockaddr *address, socklen_t size)
{
	struct pollfd wait = {fd, POLLOUT, 0};
	socklen_t n = sizeof(errno);
	int why = 0;

	if (!connect(fd, address, size))
		return true;
	if (errno != EINPROGRESS)
		return false;
	if (poll(&wait, 1, CONNECT_MAX) <= 0 || caught_signal())
		why = caught_signal() ? EINTR : ETIMEDOUT;
	else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &n))
		return false;
	errno = why;
	return !why;
}

static enum status open_tcp(struct source *source, const char *name, struct error *error)
{
	const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
	const char *colon = strrchr(name, ':');
	struct addrinfo *found = NULL;
	struct addrinfo *one;
	bool brackets = *name == '[' && colon && colon > name + 1 && colon[-1] == ']';
	enum status status;
	uint64_t port;
	char *host;
	int failed;

	if (!colon || colon == name || !colon[1])
		return error_set(error, STATUS_USAGE, "does not have the form tcp:HOST:PORT");
	if (!colon[1 + strspn(colon + 1, "0123456789")] && !argument_number(colon + 1, 1, UINT16_MAX, &port))
		return error_set(
			error, STATUS_USAGE, "'%s' is not a port, which is a number from 1 to 65535", colon + 1);
	host = format("%.*s", (int)(colon - name - 2 * brackets), name + brackets);
	failed = getaddrinfo(host, colon + 1, &wanted, &found);
	free(host);
	if (failed)
		return error_set(error, STATUS_SYSTEM, "cannot be found: %s", gai_strerror(failed));
	for (one = found; one; one = one->ai_next) {
		source->fd = socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (source->fd >= 0 && connect_to(source->fd, one->ai_addr, one->ai_addrlen))
			break;
		failed = errno;
		if (source->fd >= 0)
			close(source->fd);
		source->fd = -1;
	}
	freeaddrinfo(found);
	errno = failed;
	status = source->fd < 0 ? cannot(error, "reached") : STATUS_OK;
	return status;
}

static enum status open_unix(struct source *source, const char *path, struct error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (!*path || strlen(path) >= sizeof(address.sun_path))
		return error_set(error, STATUS_USAGE, "has an empty path, or a path that is too long for a socket");
	strcpy(address.sun_path, path);
	source->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (source->fd < 0 || connect(source->fd, (const struct sockaddr *)&address, sizeof(address)) ||
		fcntl(source->fd, F_SETFL, O_NONBLOCK))
		return cannot(error, "reached");
	return STATUS_OK;
}

enum status source_open(struct source *source, const char *name, struct error *error)
{
	enum status status;

	*source = (struct source){.fd = -1};
	if (without_prefix(name, "tty:"))
		status = open_tty(source, without_prefix(name, "tty:"), error);
	else if (without_prefix(name, "tcp:"))
		status = open_tcp(source, without_prefix(name, "tcp:"), error);
	else
		status = open_unix(source, without_prefix(name, "unix:"), error);
	if (status != STATUS_OK && source->fd >= 0) {
		close(source->fd);
		source->fd = -1;
	}
	return status;
}

/*
 * Returns whether the target's rate can be @rate. @baud is the rate of the host's serial port. The host's rate is about
 * @factor times the target's rate.
 */
static bool is_possible_rate(double rate, double baud, unsigned int factor)
{
	/* The estimate @factor is rough. 7 means any factor above 6, and 1 means any factor below 1.7. */
	if (factor > 6)
		return rate < baud / 2.9;
	if (factor == 1)
		return rate > baud / 1.7 && rate != baud;
	return rate > baud / factor * 0.7 && rate < baud / factor * 1.3;
}

void source_propose(unsigned int baud, unsigned int factor, struct buffer *text)
{
	/* The most common rates come first. */
	static const unsigned int usual[] = {115200, 9600, 57600, 38400, 921600, 19200, 230400, 460800, 1500000,
		1000000, 3000000, 2000000, 4800, 2400, 1200};
	unsigned int list[8];
	size_t listed = 0;
	size_t i;

	for (i = 0; i < sizeof(usual) / sizeof(*usual) && listed < sizeof(list) / sizeof(*list); i++)
		if (is_possible_rate(usual[i], baud, factor))
			list[listed++] = usual[i];
	for (i = 0; i < listed; i++)
		buffer_printf(text, "%s%u", !i ? "" : i + 1 < listed ? ", " : " or ", list[i]);
	if (!listed)
		buffer_add_text(text, "another rate");
}

bool source_taken(const struct source *source)
{
	int waiting = 0;

	return ioctl(source->fd, TIOCOUTQ, &waiting) || !waiting;
}

void source_close(struct source *source)
{
	if (source->fd < 0)
		return;
	if (source->baud) {
		/* Discard bytes that were not sent yet, because close() would wait until they are sent. */
		tcflush(source->fd, TCOFLUSH);
		tcsetattr(source->fd, TCSANOW, &source->before);
	}
	close(source->fd);
	source->fd = -1;
}
