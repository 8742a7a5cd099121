/* SPDX-License-Identifier: BSD-2-Clause */
/* backend.c - code that all backends share. It handles lists of names, retries, and the lines of ITEM_INFO. */
#include "backend.h"
#include "exit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Reading an image fails if the image was reset during this many tries. */
#define CHANGED_MAX 4
/*
 * Reading an image fails if the image was busy in BUSY_MAX tries. BUSY_PAUSE is the pause between two tries, in
 * nanoseconds. All pauses together take a second.
 */
#define BUSY_MAX   20
#define BUSY_PAUSE 50000000l

void image_names_add(struct image_names *names, const char *name)
{
	names->name = array_grow(names->name, names->count, &names->room, sizeof(*names->name));
	names->name[names->count++] = format("%s", name);
}

void image_names_free(struct image_names *names)
{
	while (names->count)
		free(names->name[--names->count]);
	free(names->name);
	*names = (struct image_names){0};
}

enum status backend_no_images(const struct origin *origin)
{
	complain(origin->location, "has no images: since bareprof was loaded, no instrumented module has been loaded");
	return STATUS_INVALID_INPUT;
}

static void error_append(struct error *error, const char *more)
{
	size_t n = strlen(error->text);

	strncat(error->text, more, sizeof(error->text) - n - 1);
}

bool backend_retry(struct retries *retries, enum retry_reason reason, struct error *error)
{
	const struct timespec pause = {0, BUSY_PAUSE};

	switch (reason) {
	case RETRY_CHANGED:
		if (++retries->changed < CHANGED_MAX)
			return true;
		error_append(error, ", four times in a row; try again while nothing resets, loads or unloads it");
		return false;
	case RETRY_BUSY:
		if (++retries->busy < BUSY_MAX) {
			nanosleep(&pause, NULL);
			return true;
		}
		error_append(error, ", for a second; try again while the machine does less");
		return false;
	default:
		return false;
	}
}

enum status sink_append(void *context, struct bytes bytes, struct error *error)
{
	(void)error;
	buffer_add(context, bytes.data, bytes.size);
	return STATUS_OK;
}

enum status backend_info(const struct origin *origin, const char *name, struct buffer *text, struct error *error)
{
	struct retries retries = {0};
	enum retry_reason retry;
	enum status status;

	do {
		text->size = 0;
		status = origin->backend->read(origin->location, name, ITEM_INFO, sink_append, text, &retry, error);
	} while (status != STATUS_OK && backend_retry(&retries, retry, error));
	return status;
}

bool info_line(struct bytes *text, struct bytes *key, struct bytes *value)
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

struct bytes info_value(struct bytes text, const char *key)
{
	struct bytes found;
	struct bytes value;

	while (info_line(&text, &found, &value))
		if (found.size == strlen(key) && !memcmp(found.data, key, found.size))
			return value;
	return (struct bytes){NULL, 0};
}

bool info_number(struct bytes value, uint64_t *number)
{
	size_t i;

	*number = 0;
	for (i = 0; i < value.size; i++)
		if (value.data[i] < '0' || value.data[i] > '9' || __builtin_mul_overflow(*number, 10, number) ||
			__builtin_add_overflow(*number, value.data[i] - '0', number))
			return false;
	return value.size;
}
