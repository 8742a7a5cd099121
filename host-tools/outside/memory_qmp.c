/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_qmp.c - stops the machine, lets QEMU write memory to a temporary file, and reads that file. QMP has one JSON
 * object on each line: {"return": ...} or {"error": ...} answers a command, and events come at any time.
 */
#include "memory_qmp.h"
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How long to wait for an answer, in seconds. QEMU answers memsave only when the file is written. */
#define PATIENCE 30.0
/* The most bytes of a line, and the most lines before an answer. */
#define LINE_MAX_BYTES (1u << 16)
#define LINES_MAX      10000u
/* The most bytes before an answer. */
#define BYTES_MAX (1u << 20)
/* The most CPUs that are tried. */
#define CPUS_MAX 1024u

struct monitor {
	struct channel channel;
	struct buffer line; /* the last line */
	char *folder; /* the temporary folder */
	char *file; /* the file in it */
	unsigned int cpu; /* the CPU whose page tables translate virtual addresses */
	bool running; /* the machine was running before */
	bool runs; /* the machine runs now */
	bool entered;
};

/* Receives one line. */
static enum status next_line(struct monitor *monitor, struct error *error)
{
	uint8_t byte = 0;

	monitor->line.size = 0;
	while (byte != '\n') {
		if (!channel_next(&monitor->channel, &byte, PATIENCE, error))
			return STATUS_SYSTEM;
		buffer_add(&monitor->line, &byte, 1);
		if (monitor->line.size > LINE_MAX_BYTES)
			return error_set(error, STATUS_INVALID_INPUT, "does not speak QMP: a line does not end");
	}
	return STATUS_OK;
}

/* Returns whether the last line is an object whose first key is @key. */
static bool line_has(struct monitor *monitor, const char *key)
{
	const char *text = buffer_string(&monitor->line);

	text += strspn(text, " \t");
	if (*text++ != '{')
		return false;
	text += strspn(text, " \t");
	return *text == '"' && starts_with(text + 1, key) && text[1 + strlen(key)] == '"';
}

/* Copies the text of the error in the last line into @error. */
static enum status refuse(struct monitor *monitor, struct error *error)
{
	const char *text = strstr(buffer_string(&monitor->line), "\"desc\": \"");
	int size = text ? (int)strcspn(text + 9, "\"\r\n") : 0;

	return error_set(error, STATUS_INVALID_INPUT, "QEMU refuses: %.*s", size, text ? text + 9 : "");
}

/* Sends @command, and receives its answer. */
static enum status tell(struct monitor *monitor, const char *command, struct error *error)
{
	enum status status = channel_send(
		&monitor->channel, (struct bytes){(const uint8_t *)command, strlen(command)}, PATIENCE, error);
	size_t bytes = 0;
	unsigned int i;

	for (i = 0; i < LINES_MAX && bytes < BYTES_MAX && status == STATUS_OK; i++) {
		status = next_line(monitor, error);
		bytes += monitor->line.size;
		if (status == STATUS_OK && line_has(monitor, "return"))
			return STATUS_OK;
		if (status == STATUS_OK && line_has(monitor, "error"))
			return refuse(monitor, error);
	}
	return status == STATUS_OK ? error_set(error, STATUS_INVALID_INPUT, "does not speak QMP: no answer came")
	                           : status;
}

static enum status enter(struct monitor *monitor, struct error *error)
{
	enum status status = next_line(monitor, error);

	if (status == STATUS_OK && !line_has(monitor, "QMP"))
		return error_set(error, STATUS_INVALID_INPUT,
			"does not speak QMP: start QEMU with -qmp unix:PATH,server=on,wait=off");
	if (status == STATUS_OK)
		status = tell(monitor, "{\"execute\": \"qmp_capabilities\"}\n", error);
	if (status == STATUS_OK)
		status = tell(monitor, "{\"execute\": \"query-status\"}\n", error);
	if (status != STATUS_OK)
		return status;
	monitor->entered = true;
	monitor->running = monitor->runs = strstr(buffer_string(&monitor->line), "\"running\": true");
	return STATUS_OK;
}

/* Lets the machine run or stop, unless it does so already. */
static enum status let(struct monitor *monitor, bool run, struct error *error)
{
	if (monitor->runs == run)
		return STATUS_OK;
	monitor->runs = run;
	return tell(monitor, run ? "{\"execute\": \"cont\"}\n" : "{\"execute\": \"stop\"}\n", error);
}

static enum status stop_monitor(struct memory *memory, struct error *error)
{
	return let(memory->state, false, error);
}

static enum status open_monitor(struct memory *memory, const char *where, struct error *error)
{
	struct monitor *monitor = allocate(1, sizeof(*monitor));
	bool socket = strchr(where, '/') || !strchr(where, ':');
	char *name = format("%s%s", socket && !starts_with(where, "unix:") ? "unix:" : "", where);
	enum status status;

	memory->state = monitor;
	status = temporary_folder(&monitor->folder, error);
	if (status == STATUS_OK) {
		/* QEMU may run in another folder. */
		char *whole = realpath(monitor->folder, NULL);

		monitor->file = format("%s/memory", whole ? whole : monitor->folder);
		free(whole);
		status = channel_open(&monitor->channel, name, error);
	}
	free(name);
	return status == STATUS_OK ? enter(monitor, error) : status;
}

/* Appends @text as a JSON string. */
static void add_string(struct buffer *out, const char *text)
{
	buffer_add_text(out, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buffer_add_text(out, "\\");
		buffer_printf(out, (unsigned char)*text < ' ' ? "\\u%04x" : "%c", *text);
	}
	buffer_add_text(out, "\"");
}

/* Reads exactly @size bytes of the file that QEMU wrote. */
static enum status read_file(const struct monitor *monitor, uint8_t *to, size_t size, struct error *error)
{
	/* The file can be something else, such as a pipe that nobody writes. */
	int fd = open(monitor->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = 1;

	if (fd < 0)
		return error_set(error, STATUS_SYSTEM,
			"QEMU wrote no file %s here: %s; run bareprof on the machine on which QEMU runs, as the same "
			"user",
			monitor->file, strerror(errno));
	while (size && n > 0) {
		n = read(fd, to, size);
		if (n > 0) {
			to += n;
			size -= (size_t)n;
		}
	}
	close(fd);
	unlink(monitor->file);
	return size ? error_set(error, STATUS_SYSTEM, "QEMU wrote %zu bytes too few to %s: is the disk full?", size,
			      monitor->file)
	            : STATUS_OK;
}

/* Lets QEMU save memory with the page tables of the CPU monitor->cpu. */
static enum status save(
	struct monitor *monitor, enum memory_space space, uint64_t address, size_t size, struct error *error)
{
	struct buffer command = {0};
	enum status status;

	/* QMP has only signed numbers, so addresses in the upper half become negative. */
	buffer_printf(&command, "{\"execute\": \"%s\", \"arguments\": {\"val\": %" PRId64 ", \"size\": %zu, ",
		space == MEMORY_PHYSICAL ? "pmemsave" : "memsave", (int64_t)address, size);
	if (space == MEMORY_VIRTUAL)
		buffer_printf(&command, "\"cpu-index\": %u, ", monitor->cpu);
	buffer_add_text(&command, "\"filename\": ");
	add_string(&command, monitor->file);
	buffer_add_text(&command, "}}\n");
	status = tell(monitor, buffer_string(&command), error);
	buffer_free(&command);
	return status;
}

/* If the CPU that worked last does not map the memory, perhaps another one does: a CPU may run a program. */
static enum status read_monitor(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	struct monitor *monitor = memory->state;
	enum status status = save(monitor, space, address, size, error);
	unsigned int last = monitor->cpu;
	struct error unused;

	for (monitor->cpu = 0; status == STATUS_INVALID_INPUT && space == MEMORY_VIRTUAL && monitor->cpu < CPUS_MAX;
		monitor->cpu += status != STATUS_OK) {
		status = save(monitor, space, address, size, &unused);
		/* QEMU names the parameter if there is no such CPU. */
		if (status == STATUS_INVALID_INPUT && strstr(unused.text, "cpu-index"))
			break;
	}
	if (status != STATUS_OK || space == MEMORY_PHYSICAL || monitor->cpu >= CPUS_MAX)
		monitor->cpu = last;
	return status == STATUS_OK ? read_file(monitor, to, size, error) : status;
}

static enum status close_monitor(struct memory *memory, struct error *error)
{
	struct monitor *monitor = memory->state;
	enum status status = STATUS_OK;

	if (!monitor)
		return STATUS_OK;
	monitor->channel.ends = true;
	if (monitor->entered)
		status = let(monitor, memory_runs_on(memory, monitor->running), error);
	channel_close(&monitor->channel);
	if (monitor->folder)
		temporary_remove(monitor->folder);
	free(monitor->file);
	free(monitor->folder);
	buffer_free(&monitor->line);
	free(monitor);
	memory->state = NULL;
	return status;
}

const struct memory_source memory_qmp = {
	.name = "qmp",
	.form = "qmp:PATH",
	.open = open_monitor,
	.stop = stop_monitor,
	.read = read_monitor,
	.close = close_monitor,
};
