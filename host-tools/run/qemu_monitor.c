/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_monitor.c - talks QMP with QEMU while a guest runs. QMP has one JSON object on each line. QEMU reports events
 * only after the greeting was answered, so the answer is followed by a question about the present state.
 */
#include "qemu_monitor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

/* A line of QMP that is longer than this is nothing that is looked for. */
#define LINE_MAX_BYTES 65536u

/* Doubles each comma, because QEMU separates options by commas. */
static void add_escaped(struct buffer *out, const char *text)
{
	for (; *text; text++)
		buffer_add(out, *text == ',' ? ",," : text, *text == ',' ? 2 : 1);
}

/* Chooses the path of the socket. $TMPDIR may be too long. */
static enum status choose_path(struct qemu_monitor *monitor, const char *folder, struct error *error)
{
	struct sockaddr_un address;

	monitor->path = format("%s/qmp", folder);
	if (strlen(monitor->path) < sizeof(address.sun_path))
		return STATUS_OK;
	free(monitor->path);
	monitor->path = NULL;
	monitor->folder = format("/tmp/bareprof.XXXXXX");
	if (!mkdtemp(monitor->folder)) {
		error_set(error, STATUS_SYSTEM,
			"the path %.1000s is too long for a socket, and no folder can be created in /tmp: %s; set "
			"TMPDIR to a folder with a short path",
			folder, strerror(errno));
		free(monitor->folder);
		monitor->folder = NULL;
		return STATUS_SYSTEM;
	}
	monitor->path = format("%s/qmp", monitor->folder);
	return STATUS_OK;
}

enum status qemu_monitor_add(struct qemu_monitor *monitor, const char *folder, char ***words, struct error *error)
{
	struct buffer socket = {0};
	enum status status = choose_path(monitor, folder, error);
	char **longer;
	size_t n = 0;

	if (status != STATUS_OK)
		return status;
	unlink(monitor->path);
	while ((*words)[n])
		n++;
	longer = allocate(n + 4, sizeof(*longer));
	memcpy(longer, *words, n * sizeof(*longer));
	add_escaped(&socket, monitor->path);
	longer[n] = format("-qmp");
	longer[n + 1] = format("unix:%s,server=on,wait=off", buffer_string(&socket));
	longer[n + 2] = format("-no-shutdown");
	free(*words);
	*words = longer;
	buffer_free(&socket);
	return STATUS_OK;
}

static void try_to_connect(struct qemu_monitor *monitor)
{
	static const char hello[] = "{\"execute\": \"qmp_capabilities\"}\n{\"execute\": \"query-status\"}\n";
	char *name = format("unix:%s", monitor->path);
	struct error unused;

	/* QEMU may not have made its socket yet. */
	monitor->connected = source_open(&monitor->source, name, &unused) == STATUS_OK;
	if (monitor->connected && write(monitor->source.fd, hello, sizeof(hello) - 1) < 0)
		qemu_monitor_leave(monitor);
	free(name);
}

/* Notes what a line tells: an event, or the answer about the state. Neither has other texts with these words. */
static void read_line(struct qemu_monitor *monitor)
{
	const char *line = buffer_string(&monitor->line);

	monitor->off |= strstr(line, "\"event\": \"SHUTDOWN\"") || strstr(line, "\"status\": \"shutdown\"");
	monitor->line.size = 0;
}

void qemu_monitor_poll(struct qemu_monitor *monitor)
{
	uint8_t chunk[4096];
	ssize_t n = 1;
	ssize_t i;

	if (monitor->path && !monitor->connected)
		try_to_connect(monitor);
	while (monitor->connected && n > 0) {
		n = read(monitor->source.fd, chunk, sizeof(chunk));
		if (n == 0) /* QEMU has ended */
			qemu_monitor_leave(monitor);
		for (i = 0; i < n; i++) {
			if (chunk[i] == '\n')
				read_line(monitor);
			else if (monitor->line.size < LINE_MAX_BYTES)
				buffer_add(&monitor->line, &chunk[i], 1);
		}
	}
}

int qemu_monitor_fd(const struct qemu_monitor *monitor)
{
	return monitor->connected ? monitor->source.fd : -1;
}

void qemu_monitor_leave(struct qemu_monitor *monitor)
{
	if (monitor->connected)
		source_close(&monitor->source);
	monitor->connected = false;
}

void qemu_monitor_remove(struct qemu_monitor *monitor)
{
	qemu_monitor_leave(monitor);
	if (monitor->path)
		unlink(monitor->path);
	if (monitor->folder)
		rmdir(monitor->folder);
	free(monitor->folder);
	free(monitor->path);
	buffer_free(&monitor->line);
	*monitor = (struct qemu_monitor){0};
}
