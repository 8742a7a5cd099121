/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_running.c - watches images on this machine. Without names, each look reads the images that exist then, so modules
 * that are loaded later are watched, too.
 */
#include "backends.h"
#include "child.h"
#include "exit.h"
#include "pull_running.h"
#include "watch_sources.h"

#include <stdlib.h>

/* Adds the profile of one image to the look. */
static enum status add_image(
	struct watch_session *session, const struct pull_watch *watch, const struct origin *origin, const char *name)
{
	uint64_t total;
	enum image_item what = watch->capture ? ITEM_CAPTURE : running_item(origin, name, &total);
	char *source = origin->backend->path(origin->location, name, what);
	struct buffer bytes = {0};
	struct error error;
	enum status status;

	if (what == ITEM_MIPRAW)
		status = error_set(&error, STATUS_INVALID_INPUT,
			"is only a machine profile, which has no lines: 'bareprof mip show' reads it");
	else
		status = running_read(origin, name, what, &bytes, &error);
	if (status != STATUS_OK)
		error_print(source, &error);
	else if (what == ITEM_CAPTURE)
		status = watch_add_capture(&session->programs, source, (struct bytes){bytes.data, bytes.size});
	else
		status = watch_add_raw(&session->programs, source, (struct bytes){bytes.data, bytes.size});
	buffer_free(&bytes);
	free(source);
	return status;
}

/*
 * Reads all images once. If the user named no images, those that are not instrumented, or whose ELF file was not given, do not
 * make the look fail: it fails if there is no profile at all.
 */
static void look(struct watch_session *session, const struct pull_watch *watch)
{
	struct image_names names;
	struct origin origin;
	enum status status;
	size_t i;

	session_begin(session);
	status = backends_find(&origin, &names, "pull", watch->from, watch->names);
	if (status == STATUS_OK && !names.count)
		status = backend_no_images(&origin);
	for (i = 0; status == STATUS_OK && i < names.count && !caught_signal(); i++) {
		enum status one = add_image(session, watch, &origin, names.name[i]);

		if (watch->names[0])
			status = one;
	}
	image_names_free(&names);
	if (caught_signal())
		session_interrupted(session);
	else
		session_done(session, status);
}

enum status watch_running(struct watch_session *session, const struct pull_watch *watch)
{
	do
		look(session, watch);
	while (session_wait(session));
	return STATUS_OK;
}
