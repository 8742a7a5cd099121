/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backend.c - what all ways to running images have in common.
 */
#include "backend.h"
#include "debugfs.h"
#include "exit.h"
#include "xen.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct way *const ways[] = {&way_debugfs, &way_xen};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* An image that is reset again and again is given up after so many starts. */
#define CHANGED_MAX 4
/* So often is asked whether it still is busy, this long apart: a second in all. */
#define BUSY_MAX   20
#define BUSY_PAUSE 50000000l

static enum status open_way(struct from *from, const char *text)
{
	size_t n = strcspn(text, ":");
	size_t i;

	for (i = 0; i < WAYS; i++) {
		if (strlen(ways[i]->name) != n || strncmp(ways[i]->name, text, n))
			continue;
		*from = (struct from){ways[i], text[n] && text[n + 1] ? text + n + 1 : ways[i]->place};
		return STATUS_OK;
	}
	complain(NULL, "--from takes debugfs, debugfs:DIR, xen or xen:DEVICE, not '%s'", text);
	return STATUS_USAGE;
}

void from_names_add(struct from_names *names, const char *name)
{
	names->name = grow(names->name, names->count, &names->room, sizeof(*names->name));
	names->name[names->count++] = format("%s", name);
}

void from_names_free(struct from_names *names)
{
	while (names->count)
		free(names->name[--names->count]);
	free(names->name);
	*names = (struct from_names){0};
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_there(const struct from_names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

static void say_absent(const struct from *from, const struct from_names *there, const char *name)
{
	struct buffer text = {0};
	size_t i;

	for (i = 0; i < there->count && text.size < 3000; i++)
		buffer_printf(&text, "%s%s", i ? ", " : "", there->name[i]);
	if (i < there->count)
		buffer_printf(&text, " and %zu more", there->count - i);
	complain(from->place, "has no '%.200s'; it has: %s", name, text.size ? buffer_string(&text) : "nothing");
	buffer_free(&text);
}

static enum status find(const struct from *from, char *const *wanted, struct from_names *names)
{
	struct from_names there = {0};
	struct error error;
	enum status status = from->way->list(from->place, &there, &error);

	if (status != STATUS_OK) {
		error_print(from->place, &error);
		from_names_free(&there);
		return status;
	}
	if (there.count)
		qsort(there.name, there.count, sizeof(*there.name), compare);
	if (!*wanted) {
		*names = there;
		return STATUS_OK;
	}
	for (; *wanted && status == STATUS_OK; wanted++) {
		if (is_there(&there, *wanted)) {
			from_names_add(names, *wanted);
			continue;
		}
		say_absent(from, &there, *wanted);
		status = STATUS_SYSTEM;
	}
	from_names_free(&there);
	if (status != STATUS_OK)
		from_names_free(names);
	return status;
}

enum status from_images(
	struct from *from, struct from_names *names, const char *command, const char *text, char *const *wanted)
{
	enum status status;

	*names = (struct from_names){0};
	if (!text) {
		complain(NULL, "%s needs --from: debugfs, debugfs:DIR, xen or xen:DEVICE", command);
		return STATUS_USAGE;
	}
	status = open_way(from, text);
	return status == STATUS_OK ? find(from, wanted, names) : status;
}

enum status from_nothing(const struct from *from)
{
	complain(from->place, "has nothing in it: no module with a profile was loaded");
	return STATUS_BAD;
}

static void add(struct error *error, const char *more)
{
	size_t n = strlen(error->text);

	strncat(error->text, more, sizeof(error->text) - n - 1);
}

bool from_retry(struct from_tries *tries, enum from_again again, struct error *error)
{
	const struct timespec pause = {0, BUSY_PAUSE};

	switch (again) {
	case FROM_CHANGED:
		if (++tries->changed < CHANGED_MAX)
			return true;
		add(error, ", four times in a row; read it while nothing does that");
		return false;
	case FROM_BUSY:
		if (++tries->busy < BUSY_MAX) {
			nanosleep(&pause, NULL);
			return true;
		}
		add(error, ", for a second; try again when less runs");
		return false;
	default:
		return false;
	}
}

enum status from_keep(void *context, struct bytes bytes, struct error *error)
{
	(void)error;
	buffer_add(context, bytes.data, bytes.size);
	return STATUS_OK;
}

enum status from_info(const struct from *from, const char *name, struct buffer *text, struct error *error)
{
	struct from_tries tries = {0};
	enum from_again again;
	enum status status;

	do {
		text->size = 0;
		status = from->way->read(from->place, name, FROM_INFO, from_keep, text, &again, error);
	} while (status != STATUS_OK && from_retry(&tries, again, error));
	return status;
}

bool from_line(struct bytes *text, struct bytes *key, struct bytes *value)
{
	while (text->size) {
		struct bytes line = bytes_line(text);
		const uint8_t *colon = line.size ? memchr(line.data, ':', line.size) : NULL;

		if (!colon)
			continue;
		*key = (struct bytes){line.data, (size_t)(colon - line.data)};
		*value = (struct bytes){colon + 1, line.size - key->size - 1};
		while (value->size && *value->data == ' ') {
			value->data++;
			value->size--;
		}
		return true;
	}
	return false;
}

struct bytes from_value(struct bytes text, const char *key)
{
	struct bytes found;
	struct bytes value;

	while (from_line(&text, &found, &value))
		if (found.size == strlen(key) && !memcmp(found.data, key, found.size))
			return value;
	return (struct bytes){NULL, 0};
}

bool from_number(struct bytes value, uint64_t *number)
{
	size_t i;

	*number = 0;
	for (i = 0; i < value.size; i++)
		if (value.data[i] < '0' || value.data[i] > '9' || __builtin_mul_overflow(*number, 10, number) ||
			__builtin_add_overflow(*number, value.data[i] - '0', number))
			return false;
	return value.size;
}
