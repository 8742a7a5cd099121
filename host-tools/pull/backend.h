/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backend.h - profiles of images that are running on this machine: what `pull`,
 * `reset` and `info` have behind --from.
 */
#ifndef BAREPROF_HOST_BACKEND_H
#define BAREPROF_HOST_BACKEND_H

#include "bytes.h"
#include "error.h"

/* What there is of an image. */
enum from_what {
	FROM_PROFRAW,
	FROM_CAPTURE,
	FROM_INFO, /* lines "key: value" */
	FROM_RESET, /* only to be written to */
};

/* Is there a point in starting again after an error? */
enum from_again {
	FROM_OVER, /* no */
	FROM_CHANGED, /* the image's counters started anew: yes, and at once */
	FROM_BUSY, /* a little later */
};

/* from_take - gets what is read, window by window; what it returns ends the reading if it is not OK. */
typedef enum status from_take(void *context, struct bytes bytes, struct error *error);
/* from_keep - the one that appends all to the struct buffer @context. */
enum status from_keep(void *context, struct bytes bytes, struct error *error);

/* Names of images, in order; starts as all zeros. */
struct from_names {
	char **name;
	size_t count;
	size_t room;
};

/* A way to running images; its place is what stands behind its name in --from. */
struct way {
	const char *name;
	const char *place; /* if none is given */
	enum status (*list)(const char *place, struct from_names *names, struct error *error);
	/* What to call it in a sentence; the caller frees it. */
	char *(*path)(const char *place, const char *name, enum from_what what);
	enum status (*read)(const char *place, const char *name, enum from_what what, from_take *take, void *context,
		enum from_again *again, struct error *error);
	enum status (*reset)(const char *place, const char *name, enum from_again *again, struct error *error);
};

struct from {
	const struct way *way;
	const char *place;
};

/*
 * from_images - take @text, the argument of --from that @command was given, apart, and find
 * the images @wanted (NULL at their end), which must be there, or if that is none all that
 * there are. Says what is wrong. Errors: USAGE, SYSTEM. End with from_names_free().
 */
enum status from_images(
	struct from *from, struct from_names *names, const char *command, const char *text, char *const *wanted);
void from_names_add(struct from_names *names, const char *name);
void from_names_free(struct from_names *names);

/* How often something was tried; starts as all zeros. */
struct from_tries {
	unsigned int changed;
	unsigned int busy;
};

/*
 * from_retry - try that again, which failed for @again? Waits if that helps. If
 * it was tried often enough already, false, and @error says so too.
 */
bool from_retry(struct from_tries *tries, enum from_again again, struct error *error);

/* from_nothing - say that there are no images. Returns BAD. */
enum status from_nothing(const struct from *from);

/* from_info - the lines of an image, read into @text, which is emptied first. Errors: those of way->read(). */
enum status from_info(const struct from *from, const char *name, struct buffer *text, struct error *error);

/*
 * from_line - take the first line of @text apart; false at its end. from_value - the value
 * of @key; empty: none. from_number - is @value a number of at most 64 bits?
 */
bool from_line(struct bytes *text, struct bytes *key, struct bytes *value);
struct bytes from_value(struct bytes text, const char *key);
bool from_number(struct bytes value, uint64_t *number);

#endif
