/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * backend.h - access to images that are running on this machine, for the option --from of
 * `pull`, `reset` and `info`.
 */
#ifndef BAREPROF_HOST_BACKEND_H
#define BAREPROF_HOST_BACKEND_H

#include "bytes.h"
#include "error.h"

/* The items of an image that a backend can read or write. */
enum image_item {
	ITEM_PROFRAW,
	ITEM_MIPRAW,
	ITEM_CAPTURE,
	ITEM_INFO, /* lines of the form "key: value" */
	ITEM_RESET, /* cannot be read; writing this item resets the counters */
};

/* The reason why reading or resetting failed. The reason determines whether the caller tries again, and when. */
enum retry_reason {
	RETRY_NEVER,
	RETRY_CHANGED, /* the counters were reset while the image was read: try again at once */
	RETRY_BUSY, /* try again a little later */
};

/*
 * data_sink - a function to which a backend passes the bytes that it reads, in several calls. The backend stops reading
 * if the function does not return OK.
 */
typedef enum status data_sink(void *context, struct bytes bytes, struct error *error);
/* sink_append - a data_sink that appends the bytes to @context, a struct buffer. */
enum status sink_append(void *context, struct bytes bytes, struct error *error);

/* A sorted list of names of images. Starts as all zeros. */
struct image_names {
	char **name;
	size_t count;
	size_t room;
};

/*
 * A backend. The argument of --from is the name of a backend, optionally followed by a colon and a location. Errors of
 * the functions: INVALID_INPUT, SYSTEM, and the errors that the sink returns.
 */
struct backend {
	const char *name;
	const char *location; /* the location of the images if --from gives none */
	bool one_profile; /* there is never more than one image with a profile */
	/* Appends the names of all images at @location. */
	enum status (*list)(const char *location, struct image_names *names, struct error *error);
	/* Returns the name that messages use for the item @what of the image @name. The caller frees the text. */
	char *(*path)(const char *location, const char *name, enum image_item what);
	/* Passes the item @what of the image @name to @sink. If that fails, *@retry is set to the reason. */
	enum status (*read)(const char *location, const char *name, enum image_item what, data_sink *sink,
		void *context, enum retry_reason *retry, struct error *error);
	/* Resets the counters of the image @name. If that fails, *@retry is set to the reason. */
	enum status (*reset)(const char *location, const char *name, enum retry_reason *retry, struct error *error);
	/* Lets the image take @rate samples in a second, or none if @rate is 0. NULL: the images take no samples. */
	enum status (*sample_rate)(const char *location, uint32_t rate, struct error *error);
};

/* The origin of images: a backend, and the location that the backend searches. */
struct origin {
	const struct backend *backend;
	const char *location;
};

/* image_names_add - appends a copy of @name. image_names_free - frees all names and empties the list. */
void image_names_add(struct image_names *names, const char *name);
void image_names_free(struct image_names *names);

/* The number of failed tries for each reason. Starts as all zeros. */
struct retries {
	unsigned int changed;
	unsigned int busy;
};

/*
 * backend_retry - returns true if the caller should try again after an error. Waits a little if @reason is RETRY_BUSY.
 * If there have been too many tries, returns false and adds the number or duration of the tries to @error.
 */
bool backend_retry(struct retries *retries, enum retry_reason reason, struct error *error);

/* backend_no_images - prints that @origin has no images. Returns INVALID_INPUT. */
enum status backend_no_images(const struct origin *origin);

/*
 * backend_info - reads ITEM_INFO of the image @name into @text, which is emptied first.
 * Errors: those of backend->read().
 */
enum status backend_info(const struct origin *origin, const char *name, struct buffer *text, struct error *error);

/*
 * info_line - removes the first line from @text and splits it into @key and @value. Returns
 * false if @text has no more lines.
 * info_value - returns the value of @key in @text, or no bytes if @text has no such key.
 * info_number - returns whether @value is a decimal number of at most 64 bits, and stores
 * the number in *@number.
 */
bool info_line(struct bytes *text, struct bytes *key, struct bytes *value);
struct bytes info_value(struct bytes text, const char *key);
bool info_number(struct bytes value, uint64_t *number);

#endif
