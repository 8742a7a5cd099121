/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_set.h - sets of images that are loaded and unloaded, such as a kernel with its
 * modules and livepatches, or the stages of a boot. A set is read as one file. An example
 * of its use:
 *
 *	static struct bareprof_set set;                all zeros: an empty set
 *	struct bareprof_set_member member;             one for each image
 *
 *	bareprof_set_add(&set, &member, &image);       a module was loaded
 *	bareprof_set_retain(&set, &member, &dump, memory, size);
 *	...                                            the module may be unloaded; its profile stays
 *	bareprof_set_open(&all, &set);
 *	n = bareprof_set_read(&all, offset, buf, n);   reads the file, window by window
 *
 * The caller owns all structs and buffers. Only one CPU at a time may add, remove or retain
 * members. Before the memory of an image is freed, the caller must remove or retain the
 * image. A dump of the set may be read in any context and on any CPU. If the members have
 * changed since the dump was opened, the read returns STALE.
 *
 * To send captures, walk the list that starts at set.first and send a capture of each
 * image. The host distinguishes the images by build id and image->number.
 */
#ifndef BAREPROF_IMAGE_SET_H
#define BAREPROF_IMAGE_SET_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A member of a set: an image, or the retained profile of an image that was unloaded. The
 * caller may read all fields.
 */
struct bareprof_set_member {
	struct bareprof_set_member *next;
	struct bareprof_image *image; /* NULL: the image was unloaded, and its profile is in retained */
	struct bareprof_slice retained; /* the .profraw of an image that was unloaded */
	uint64_t version; /* the version word of the image */
};

struct bareprof_set {
	struct bareprof_set_member *first;
	size_t changes; /* number of times that members were added, removed or retained */
	size_t numbers; /* number of images that were ever added */
};

/* A set that is open for reading as one file. The caller owns this struct, and may read the fields size and at. */
struct bareprof_set_dump {
	const struct bareprof_set *set;
	size_t size; /* size of the whole file, bytes */
	size_t changes; /* the value that set->changes had when the dump was opened */
	size_t epoch; /* sum of the epochs of all images when the dump was opened */
	const struct bareprof_set_member *at; /* the member being read; after an error, the member with the error */
	size_t start; /* offset in the file at which the member @at starts, bytes */
	struct bareprof_dump dump;
};

/*
 * bareprof_set_add - adds @image, which bareprof_image_init() has accepted, at the end
 * of @set. Fills in *member and links it into the list.
 *
 * Sets image->number to a number that no image of the set had before: 0 for the first
 * image. (After 65,536 images the numbers start again at 0.) A module that is unloaded and
 * loaded again gets a new number. So the host adds up the captures of the two loads.
 */
BAREPROF_API void bareprof_set_add(
	struct bareprof_set *set, struct bareprof_set_member *member, struct bareprof_image *image);

/*
 * bareprof_set_remove - removes @member, an image or a retained profile, from @set. The
 * caller may reuse the memory of the member as soon as no other CPU is reading a dump
 * of @set.
 */
BAREPROF_API void bareprof_set_remove(struct bareprof_set *set, struct bareprof_set_member *member);

/*
 * bareprof_set_retain - keeps the profile of an image that is about to be unloaded. Writes
 * the .profraw of @member's image to @buf of @size bytes, and lets this .profraw take the
 * image's place in the set. *dump is scratch memory, as in bareprof_write(). Afterwards the
 * set no longer uses the image.
 *
 * No code of the image may run during the call or after it. Returns the number of bytes
 * used in @buf, which must stay in place until bareprof_set_remove(). Errors: those of
 * bareprof_write(). After an error the set is unchanged.
 */
BAREPROF_API intptr_t bareprof_set_retain(struct bareprof_set *set, struct bareprof_set_member *member,
	struct bareprof_dump *dump, void *buf, size_t size);

/*
 * bareprof_set_open - opens all members of @set as one file: one .profraw after the other,
 * each padded with zeros to a multiple of 8 bytes. llvm-profdata and bareprof read such a
 * file as one profile and add up functions that are in several images.
 *
 *	| .profraw of member 1 | 0s | .profraw of member 2 | 0s | ... |
 *	0                                                             dump->size
 *
 * A file never lacks a member: if a member cannot be opened, the call fails, and dump->at
 * is that member. Any number of dumps may be open. Time is linear in the number of members.
 *
 * Errors: those of bareprof_open() for any member; NO_RECORDS if the set is empty; MIXED if
 * the members have different version words. (LLVM reads only one version per file, and
 * assumes that all profiles in the file have the kind of the first profile.) After MIXED,
 * read the images one by one.
 */
BAREPROF_API int bareprof_set_open(struct bareprof_set_dump *dump, const struct bareprof_set *set);

/*
 * bareprof_set_read - copies @n bytes of the file, from byte @offset on, to @buf, which
 * must not be NULL.
 *
 * Returns the number of bytes copied, which is less than @n only if the file ends earlier.
 * The rules of bareprof_read() are valid here too, with one exception: this function
 * changes *dump, so only one CPU at a time may read a dump. Reading is fastest if each
 * offset is larger than the one before. Errors: those of bareprof_open(); STALE if a member
 * was added, removed, retained or reset after the dump was opened. After STALE open the
 * dump again.
 */
BAREPROF_API intptr_t bareprof_set_read(struct bareprof_set_dump *dump, size_t offset, void *buf, size_t n);

#ifdef __cplusplus
}
#endif

#endif
