/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backend.h - profiles of images that are running on this machine: what `pull`,
 * `reset` and `info` have behind --from.
 */
#ifndef BAREPROF_HOST_BACKEND_H
#define BAREPROF_HOST_BACKEND_H

#include "bytes.h"
#include "error.h"

/* What a backend has of each image. */
enum image_item {
	ITEM_PROFRAW,
	ITEM_CAPTURE,
	ITEM_INFO, /* lines "key: value" */
	ITEM_RESET, /* only to be written to */
};

/* Why it may help to start again after an error. */
enum retry_reason {
	RETRY_NEVER, /* it does not */
	RETRY_CHANGED, /* the image's counters started anew: at once */
	RETRY_BUSY, /* a little later */
};

/* data_sink - gets what is read, window by window; reading ends when it does not return OK. */
typedef enum status data_sink(void *context, struct bytes bytes, struct error *error);
/* sink_append - a data_sink that appends all to the struct buffer @context. */
enum status sink_append(void *context, struct bytes bytes, struct error *error);

/* Names of images, in order; starts as all zeros. */
struct image_names {
	char **name;
	size_t count;
	size_t room;
};

/* A way to running images. --from names it, and behind a colon the location. */
struct backend {
	const char *name;
	const char *location; /* if none is given */
	enum status (*list)(const char *location, struct image_names *names, struct error *error);
	/* What to call it in a sentence; the caller frees it. */
	char *(*path)(const char *location, const char *name, enum image_item what);
	enum status (*read)(const char *location, const char *name, enum image_item what, data_sink *sink,
		void *context, enum retry_reason *retry, struct error *error);
	enum status (*reset)(const char *location, const char *name, enum retry_reason *retry, struct error *error);
};

/* Where images are: the backend and the location there. */
struct origin {
	const struct backend *backend;
	const char *location;
};

void image_names_add(struct image_names *names, const char *name);
void image_names_free(struct image_names *names);

/* How often a try failed for each reason; starts as all zeros. */
struct retries {
	unsigned int changed;
	unsigned int busy;
};

/*
 * backend_retry - after an error with this @reason: start again? Waits if that helps.
 * After the last try it returns false, and @error says so too.
 */
bool backend_retry(struct retries *retries, enum retry_reason reason, struct error *error);

/* backend_no_images - say that there are no images. Returns INVALID_INPUT. */
enum status backend_no_images(const struct origin *origin);

/* backend_info - the lines of an image, read into @text, which is emptied first. Errors: those of backend->read(). */
enum status backend_info(const struct origin *origin, const char *name, struct buffer *text, struct error *error);

/*
 * info_line - take the first line of @text apart; false at its end. info_value - the value
 * of @key; empty: none. info_number - is @value a number of at most 64 bits?
 */
bool info_line(struct bytes *text, struct bytes *key, struct bytes *value);
struct bytes info_value(struct bytes text, const char *key);
bool info_number(struct bytes value, uint64_t *number);

#endif
