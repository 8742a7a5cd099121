/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backends.c - the table of backends, and the search for images by name.
 */
#include "backends.h"
#include "debugfs.h"
#include "exit.h"
#include "memories.h"
#include "xen.h"

#include <stdlib.h>
#include <string.h>

static const struct backend *const backends[] = {&backend_debugfs, &backend_xen};
#define BACKENDS (sizeof(backends) / sizeof(*backends))

/* Returns the backend that @text names, or NULL. */
static const struct backend *backend_named(const char *text)
{
	size_t n = strcspn(text, ":");
	size_t i;

	for (i = 0; i < BACKENDS; i++)
		if (strlen(backends[i]->name) == n && !strncmp(backends[i]->name, text, n))
			return backends[i];
	return NULL;
}

bool backends_one_profile(const char *text)
{
	const struct backend *backend = text ? backend_named(text) : NULL;

	return backend && backend->one_profile;
}

static enum status open_backend(struct origin *origin, const char *text)
{
	const struct backend *backend = backend_named(text);
	const char *location = strchr(text, ':');
	struct buffer forms = {0};

	if (backend) {
		*origin = (struct origin){backend, location && location[1] ? location + 1 : backend->location};
		return STATUS_OK;
	}
	if (memory_named(text)) {
		complain(NULL, "--from %s can only be pulled", text);
		return STATUS_USAGE;
	}
	memory_forms(&forms);
	complain(NULL, "--from takes debugfs, debugfs:DIR, xen, xen:DEVICE, and for pull %s, not '%s'",
		buffer_string(&forms), text);
	buffer_free(&forms);
	return STATUS_USAGE;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool contains(const struct image_names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

static void report_absent(const struct origin *origin, const struct image_names *there, const char *name)
{
	struct buffer text = {0};
	size_t i;

	for (i = 0; i < there->count && text.size < 3000; i++)
		buffer_printf(&text, "%s%s", i ? ", " : "", there->name[i]);
	if (i < there->count)
		buffer_printf(&text, " and %zu more", there->count - i);
	complain(origin->location, "has no image '%.200s'; its images: %s", name,
		text.size ? buffer_string(&text) : "none");
	buffer_free(&text);
}

static enum status find_images(const struct origin *origin, char *const *wanted, struct image_names *names)
{
	struct image_names there = {0};
	struct error error;
	enum status status = origin->backend->list(origin->location, &there, &error);

	if (status != STATUS_OK) {
		error_print(origin->location, &error);
		image_names_free(&there);
		return status;
	}
	if (there.count)
		qsort(there.name, there.count, sizeof(*there.name), compare_names);
	if (!*wanted) {
		*names = there;
		return STATUS_OK;
	}
	for (; *wanted && status == STATUS_OK; wanted++) {
		if (contains(&there, *wanted)) {
			image_names_add(names, *wanted);
			continue;
		}
		report_absent(origin, &there, *wanted);
		status = STATUS_SYSTEM;
	}
	image_names_free(&there);
	if (status != STATUS_OK)
		image_names_free(names);
	return status;
}

enum status backends_find(
	struct origin *origin, struct image_names *names, const char *command, const char *text, char *const *wanted)
{
	enum status status;

	*names = (struct image_names){0};
	if (!text) {
		complain(NULL, "%s needs --from with one of debugfs, debugfs:DIR, xen and xen:DEVICE", command);
		return STATUS_USAGE;
	}
	status = open_backend(origin, text);
	return status == STATUS_OK ? find_images(origin, wanted, names) : status;
}
