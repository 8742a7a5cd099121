/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * save.c - `bareprof pull --all`: each dump into a file of its own.
 */
#include "cmd_pull.h"
#include "exit.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Several images can be in one capture; the first has number 0. */
static char *path_of(const char *folder, const struct session *session, bool kept)
{
	const char *ending = kept ? "capture" : "profraw";

	return session->image ? format("%s/%08" PRIx32 ".%" PRIu32 ".%s", folder, session->tag, session->image, ending)
	                      : format("%s/%08" PRIx32 ".%s", folder, session->tag, ending);
}

static bool is_folder(const char *path)
{
	struct stat is;

	return !stat(path, &is) && S_ISDIR(is.st_mode);
}

enum status pull_all_possible(const char *folder, struct error *error)
{
	char *inside = format("%s/x", folder);
	enum status status = output_possible(is_folder(folder) ? inside : folder, error);

	free(inside);
	return status;
}

enum status pull_all_folder(const char *folder, struct error *error)
{
	if (is_folder(folder) || !mkdir(folder, 0777))
		return STATUS_OK;
	return error_set(error, STATUS_SYSTEM, "cannot be created: %s", strerror(errno));
}

static enum status write_one(struct dump *dump, const struct session *session, const char *folder)
{
	struct error error;
	enum status status = dump_take(dump, session, &error);
	char *path = path_of(folder, session, dump->kept);
	const char *subject = path;

	if (status == STATUS_OK) {
		status = pull_all_folder(folder, &error);
		subject = status == STATUS_OK ? path : folder;
	}
	if (status == STATUS_OK)
		status = output_write(path, (struct bytes){dump->stream.data, dump->stream.size}, &error);
	if (status == STATUS_OK)
		pull_tell(dump, path);
	else
		error_print(subject, &error);
	buffer_free(&dump->stream);
	free(path);
	return status;
}

enum status pull_all(struct dump *dump, const char *name, const char *folder)
{
	enum status status = STATUS_OK;
	size_t i;

	dump_sort(dump);
	for (i = 0; i < dump->capture.session_count && status != STATUS_SYSTEM; i++) {
		const struct session *session = &dump->capture.sessions[i];
		struct buffer text = {0};

		if (session_usable(session, dump->completing.partial)) {
			enum status one = write_one(dump, session, folder);

			status = one != STATUS_OK ? one : status;
			continue;
		}
		session_problem(session, &text);
		complain(name, "%.3900s", buffer_string(&text));
		buffer_free(&text);
		status = STATUS_BAD;
	}
	return status;
}
