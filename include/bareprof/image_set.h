/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_set.h - images that come and go and are read as one file: a kernel and its
 * modules, livepatches, the stages of a boot. In a few lines:
 *
 *	static struct bareprof_set set;                all zeros: an empty set
 *	struct bareprof_set_member member;             one for each image
 *
 *	bareprof_set_add(&set, &member, &image);       a module was loaded
 *	bareprof_set_retain(&set, &member, &dump, memory, size);
 *	...                                            it may go; its profile stays
 *	bareprof_set_open(&all, &set);
 *	n = bareprof_set_read(&all, offset, buf, n);   reads this file in windows
 *
 * The caller owns all structs and buffers. The caller also makes sure that only one CPU
 * at a time adds, removes or retains members, and that an image is removed or retained
 * before its memory is freed. A dump of the set may be read in any context and on any CPU;
 * if the members have changed, the read returns STALE.
 *
 * To send captures, walk the list that starts at set.first and send a capture of each
 * image. The host tells them apart by build id and image->number.
 */
#ifndef BAREPROF_IMAGE_SET_H
#define BAREPROF_IMAGE_SET_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An image in a set, or the profile that was kept of one. All fields may be read. */
struct bareprof_set_member {
	struct bareprof_set_member *next;
	struct bareprof_image *image; /* NULL: it is gone, and retained has its profile */
	struct bareprof_slice retained; /* the .profraw of an image that is gone */
	uint64_t version; /* the version word of the image */
};

struct bareprof_set {
	struct bareprof_set_member *first;
	size_t changes; /* how often members were added, removed or retained */
	size_t numbers; /* how many images were ever added */
};

/* All members, opened for reading as one file. The caller owns it. size and at may be read. */
struct bareprof_set_dump {
	const struct bareprof_set *set;
	size_t size; /* of the whole file, bytes */
	size_t changes; /* set->changes when opened */
	size_t epoch; /* sum over all images when opened */
	const struct bareprof_set_member *at; /* the member that is open; after an error, the member with the error */
	size_t start; /* offset in the file where that member starts, bytes */
	struct bareprof_dump dump;
};

/*
 * bareprof_set_add - adds @image, which bareprof_image_init() has accepted, at the end of
 * @set. Fills in *member and links it into the list.
 *
 * Sets image->number to a number that no image of the set had before: 0 for the first
 * image; after 65,536 images the numbers start again at 0. So when a module is unloaded and
 * loaded again, the host adds up the captures of both loads.
 */
BAREPROF_API void bareprof_set_add(
	struct bareprof_set *set, struct bareprof_set_member *member, struct bareprof_image *image);

/*
 * bareprof_set_remove - removes @member from @set, whether it is an image or the retained
 * profile of one. The caller may reuse its memory as soon as no other CPU is reading a
 * dump of @set.
 */
BAREPROF_API void bareprof_set_remove(struct bareprof_set *set, struct bareprof_set_member *member);

/*
 * bareprof_set_retain - keeps the profile of an image that is about to go: writes the
 * .profraw of @member's image to @buf of @size bytes and puts it in the image's place in
 * the set. *dump is scratch memory, as in bareprof_write(). Afterwards the set no longer
 * uses the image.
 *
 * No code of the image may run any more. Returns the number of bytes used in @buf, which
 * must stay in place until bareprof_set_remove(). Errors: those of bareprof_write(); the
 * set is then unchanged.
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
 * A file without one of the members is never written: if one cannot be opened, the call
 * fails, and dump->at is that member. Any number of dumps may be open. Time is linear in
 * the number of members.
 *
 * Errors: those of bareprof_open() for any member; NO_RECORDS if the set is empty; MIXED if
 * the members have different version words. (LLVM reads one version per file, and assumes
 * that they all have the kind of the first profile.) After MIXED read the images one by one.
 */
BAREPROF_API int bareprof_set_open(struct bareprof_set_dump *dump, const struct bareprof_set *set);

/*
 * bareprof_set_read - copies @n bytes from @offset of the file, in bytes, to @buf, which
 * must not be NULL.
 *
 * Returns the number of bytes copied: fewer than @n only at the end of the file. The rules
 * of bareprof_read() hold here too, with one exception: the call changes *dump, so only one
 * CPU at a time may read a dump. Reading is fastest if offsets only grow. Errors: STALE if
 * a member was added, removed, retained or reset after the dump was opened; then open it
 * again. Also those of bareprof_open().
 */
BAREPROF_API intptr_t bareprof_set_read(struct bareprof_set_dump *dump, size_t offset, void *buf, size_t n);

#ifdef __cplusplus
}
#endif

#endif
