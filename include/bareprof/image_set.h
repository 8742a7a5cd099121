/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_set.h - several images that come and go: a kernel and its modules, livepatches,
 * the stages of a boot. In a few lines:
 *
 *	static struct bareprof_set set;                nothing in it: all zero
 *	struct bareprof_set_member member;                 one for each image
 *
 *	bareprof_set_add(&set, &member, &image);       a module was loaded
 *	bareprof_set_retain(&set, &member, &dump, memory, size);
 *	...                                            and may go; its profile stays
 *	bareprof_set_open(&all, &set);
 *	n = bareprof_set_read(&all, offset, buf, n);   one file of all, in windows
 *
 * The caller owns everything, and sees to it that one at a time adds, removes or retains
 * members, and that an image is removed or retained before its memory is taken. Reading is
 * for any context and CPU: with members that change it says STALE.
 *
 * For captures, which the host tells apart by build id and image->number, walk through
 * set.first and send one for each.
 */
#ifndef BAREPROF_IMAGE_SET_H
#define BAREPROF_IMAGE_SET_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An image in a set, or what was kept of one. The fields may be read. */
struct bareprof_set_member {
	struct bareprof_set_member *next;
	struct bareprof_image *image; /* NULL: it is gone, and this is what was kept: */
	struct bareprof_slice retained; /* its .profraw */
	uint64_t version; /* the version word of the image */
};

struct bareprof_set {
	struct bareprof_set_member *first;
	size_t changes; /* how often members were added, removed or retained */
	size_t numbers; /* how many images were added */
};

/* All members, opened for reading as one file. The caller owns it; size may be read. */
struct bareprof_set_dump {
	const struct bareprof_set *set;
	size_t size; /* of the whole file, bytes */
	size_t changes; /* of the set when opened */
	size_t epoch; /* and of all its images together */
	const struct bareprof_set_member *at; /* whose dump is open; after an error, the member that has it */
	size_t start; /* where in the file that member starts */
	struct bareprof_dump dump;
};

/*
 * bareprof_set_add - add @image, whose layout is known, as the last of @set.
 *
 * It gets a number that none had before (the first is 0; after 65,536 they begin anew), so
 * that the captures of a module that was unloaded and is there again add up.
 */
BAREPROF_API void bareprof_set_add(
	struct bareprof_set *set, struct bareprof_set_member *member, struct bareprof_image *image);

/*
 * bareprof_set_remove - take @member out, an image or what was retained of one. Its memory
 * is the caller's again, once no other CPU is reading a dump of @set.
 */
BAREPROF_API void bareprof_set_remove(struct bareprof_set *set, struct bareprof_set_member *member);

/*
 * bareprof_set_retain - before the image of @member goes: write its .profraw to @buf of
 * @size bytes, as bareprof_write() does with *@dump, which is scratch. From then on that
 * is what the set has of it, in its place; the image is the caller's again.
 *
 * Nothing of the image may run any more. Returns the bytes of @buf that are used; they
 * stay where they are until bareprof_set_remove(). Errors: as bareprof_write(); the set is
 * then what it was.
 */
BAREPROF_API intptr_t bareprof_set_retain(struct bareprof_set *set, struct bareprof_set_member *member,
	struct bareprof_dump *dump, void *buf, size_t size);

/*
 * bareprof_set_open - open all members of @set as one file: a .profraw after the other,
 * each with zeros up to a multiple of 8. llvm-profdata and bareprof read that as one
 * profile, in which functions that are in several images are added up.
 *
 * Where a profile lacks a member, it is not written at all. Any number of dumps may be
 * open. Linear in the number of members. Errors: those of bareprof_open() for any member;
 * NO_RECORDS if there are none; MIXED if not all have the same version word, as LLVM reads
 * one version from a file, and takes all of it for the kind of profile that comes first.
 * Read the images one by one then.
 */
BAREPROF_API int bareprof_set_open(struct bareprof_set_dump *dump, const struct bareprof_set *set);

/*
 * bareprof_set_read - copy @n bytes at @offset of the file to @buf.
 *
 * Returns how many were copied: fewer than @n only at the end. All of bareprof_read() holds
 * here, but that *@dump changes: one CPU at a time reads a dump, and windows that do not go
 * backwards are the quickest. Errors: STALE if a member was added, removed, retained or
 * reset since open; open it again then.
 */
BAREPROF_API intptr_t bareprof_set_read(struct bareprof_set_dump *dump, size_t offset, void *buf, size_t n);

#ifdef __cplusplus
}
#endif

#endif
