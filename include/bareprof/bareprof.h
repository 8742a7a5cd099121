/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.h - LLVM instrumentation profiles for programs without an OS.
 *
 * The whole interface of the target side. In a few lines:
 *
 *	static struct bareprof_image image;
 *	static struct bareprof_dump dump;
 *
 *	err = bareprof_image_self(&image);            find, learn, check
 *	bareprof_reset(&image);                       counters to zero
 *	n = bareprof_write(&dump, &image, buf, size); a .profraw in buf
 *
 * Nothing here allocates, recurses or keeps state of its own: every struct is
 * the caller's. Functions that can fail return a negative enum bareprof_error.
 * Unless a comment says otherwise a function may be called in any context
 * (interrupt, NMI, panic) and on any CPU, as long as no other CPU is using the
 * same struct; dumps of one image may be read on several CPUs at once, since
 * that leaves the image alone. Instrumented code may run on other CPUs
 * meanwhile: what comes of it is said at bareprof_read() and bareprof_reset().
 *
 * Increments that two CPUs make at the same time are the compiler's business:
 * plain ones are lost now and then, those of -fprofile-update=atomic never
 * (on a Cortex-M by arch/arm/atomic.c).
 *
 * The formats are in docs/SPEC.md, the reasons in docs/DESIGN.md.
 */
#ifndef BAREPROF_BAREPROF_H
#define BAREPROF_BAREPROF_H

#include <bareprof/layout.h>
#include <bareprof/platform.h>

#define BAREPROF_VERSION_MAJOR 0
#define BAREPROF_VERSION_MINOR 2

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What can go wrong. bareprof_strerror() has a sentence for each.
 */
enum bareprof_error {
	BAREPROF_OK = 0,

	/* The caller can mend it. */
	BAREPROF_E_NO_SPACE = -1, /* the buffer is too small; nothing was written */
	BAREPROF_E_ARGUMENT = -2, /* an index or offset beyond the end */
	BAREPROF_E_SINK = -3, /* the caller's sink refused the data */

	/* The image lacks something that this call needs. */
	BAREPROF_E_NO_COUNTERS = -16, /* no counters: not instrumented, or sections lost in the link */
	BAREPROF_E_NO_RECORDS = -17, /* counters but no records or names in memory: no .profraw from here */
	BAREPROF_E_VALUE_SITES = -18, /* records have value sites, whose lists nobody holds: bareprof_values_hold() */

	/* The image is inconsistent: never a file from it. */
	BAREPROF_E_ALIGN = -33, /* the records do not start on an 8-byte boundary */
	BAREPROF_E_RECORD = -34, /* a record fits no known layout: its counters are none, or outside their section */
	BAREPROF_E_MIXED = -35, /* records of two layouts: objects of compilers that do not go together */
	BAREPROF_E_OVERLAP = -36, /* records fit, but overlap, or leave counters or bitmaps over */
	BAREPROF_E_AMBIGUOUS = -37, /* the records fit two layouts that read differently */
	BAREPROF_E_VERSION = -38, /* __llvm_profile_raw_version contradicts the records, or is unknown */
	BAREPROF_E_BUILD_ID = -39, /* the note is not a build id */
	BAREPROF_E_TIMESTAMPS = -40, /* temporal, but of function entries alone: clang then leaves out the timestamps */
	BAREPROF_E_READ_ONLY =
		-41, /* records are in ROM, and have to be written to: for values of clang up to 17, or to separate them */

	/* Right now it cannot be had. */
	BAREPROF_E_STALE = -48, /* the counters were reset since the dump was opened, or it has other members */
	BAREPROF_E_BUSY = -49, /* a list of values is being changed: try again later */
};

/*
 * bareprof_strerror - a static English sentence for @error (of the enum above,
 * or any other number); never NULL.
 */
BAREPROF_API const char *bareprof_strerror(intptr_t error);

struct bareprof_slice {
	const void *start;
	size_t size; /* bytes */
};

/*
 * What follows from layout and sections, as the header of a .profraw says it.
 */
struct bareprof_profraw_fields {
	uint64_t zero_padding; /* is 0: what padding, of up to 7 bytes, is copied from */
	size_t id_size; /* of the build id in the file, with its length in front */
	size_t counters_delta;
	size_t bitmap_delta;
	size_t vtables;
	size_t last_kind; /* of values */
	size_t padding[BAREPROF_SECTIONS]; /* zero bytes after each section in the file */
};

struct bareprof_values;

/*
 * One instrumented thing: kernel, hypervisor, firmware. The caller owns it and
 * keeps it as long as the image's dumps are open. All fields may be read; what
 * a caller of bareprof_image_init() fills in is said there.
 */
struct bareprof_image {
	uint64_t version; /* raw version, learnt or declared (0: neither), and variant bits */
	size_t records; /* 0: none in memory */
	size_t counters;
	size_t shift; /* a counter has 1 << shift bytes: 3, or 0 for byte counters */
	size_t value_sites; /* non-zero if any record has value sites */
	size_t generation; /* how often the counters were reset */
	struct bareprof_slice section[BAREPROF_ALL_SECTIONS];
	/* Set only by a runtime that serves values, see values.h. */
	struct bareprof_values *values; /* NULL: none are noted */
	size_t releases; /* how often its values were let go on changing: bareprof_values_release() */
	const struct bareprof_image *live; /* itself; of a snapshot the image that it was made of */
	size_t number; /* of this image among several: the caller's, 0 to 65535 */
	struct bareprof_profraw_fields profraw; /* set if there are records */
};

/*
 * bareprof_image_self - describe the image that this very call is linked into.
 *
 * Takes the bounds from the symbols of the linker fragments, then does what
 * bareprof_image_init() does. The image's number is 0. Errors: as there.
 */
BAREPROF_API int bareprof_image_self(struct bareprof_image *image);

/*
 * bareprof_image_init - learn and check the layout of an image whose bounds
 * (image->section[]) the caller has filled in; absent sections have size 0.
 * image->number is the caller's too.
 *
 * @declared is the word in the image's __llvm_profile_raw_version, or 0 if no
 * object defined it (plain source coverage does not).
 *
 * Every record is tried against every known layout: its counters must exist and
 * lie in their section, and all of them together add up to it by size and by
 * place; bitmaps must lie in theirs and add up to its size. Linear in the number
 * of records, no writes outside *image. An image with counters and no records is
 * legal, but has no .profraw to read.
 *
 * Errors: NO_COUNTERS, ALIGN, RECORD (see bareprof_diagnose()), MIXED, OVERLAP,
 * AMBIGUOUS, VERSION, TIMESTAMPS.
 */
BAREPROF_API int bareprof_image_init(struct bareprof_image *image, uint64_t declared);

/*
 * bareprof_diagnose - after bareprof_image_init() returned RECORD: why?
 *
 * Returns MIXED if another layout fits where the best one stopped to fit, else
 * RECORD; *record is then the index of the record where that was. A file of its
 * own, so that it costs nothing where it is not called.
 */
BAREPROF_API int bareprof_diagnose(struct bareprof_image *image, uint32_t *record);

/*
 * bareprof_fix_weak_duplicates - after bareprof_image_init() returned OVERLAP: is it because of functions
 * that several objects define as weak?
 *
 * The linker takes one of these definitions, and its counters; the records of the others
 * then say that they have the same ones, as many as they need themselves, while their own are
 * in no record. Here such records get their own counters, bitmaps and lists of values back,
 * where nothing is counted. They must be in RAM. A matter of large kernels: firmware has
 * few weak functions, and the host program reads what was dumped elsewhere all the same.
 *
 * Returns how many there were; call bareprof_image_init() again then. Linear in the number of
 * records, for each of them. Errors: OVERLAP if it is not that, and nothing was changed; READ_ONLY
 * if records are in ROM. Nothing else may use the image meanwhile.
 */
BAREPROF_API int bareprof_fix_weak_duplicates(struct bareprof_image *image);

/*
 * bareprof_build_id - set section[BAREPROF_BUILD_ID] from an ELF note section
 * of @size bytes at @note; an empty section means no build id, which is legal.
 * Errors: BUILD_ID if it holds anything but one GNU build id note.
 */
BAREPROF_API int bareprof_build_id(struct bareprof_image *image, const void *note, uint32_t size);

/*
 * bareprof_start - for images whose counters live in NOLOAD memory: describe
 * this image (as bareprof_image_self()), fill its counters with their start
 * value and mark them as filled. Call it after RAM is usable and before the
 * first instrumented function on any CPU; it and all it calls must not be
 * instrumented.
 * Needs the linker fragment's validity word. Errors: as bareprof_image_self().
 */
BAREPROF_API int bareprof_start(struct bareprof_image *image);

/*
 * bareprof_started - non-zero if bareprof_start() of this very build has filled
 * the counters since the memory lost its contents: tells counters from what
 * another build, or chance, left in RAM.
 */
BAREPROF_API int bareprof_started(const struct bareprof_image *image);

/*
 * bareprof_reset - set all counters to "never run" and all bitmaps to zero.
 *
 * Linear in their size. Open dumps of the image become stale: their next read
 * says so. No other CPU may open a dump of the image meanwhile.
 *
 * For zeros everywhere nothing may count meanwhile. What another CPU, or the
 * code that this call interrupted, is about to increase, it has read already:
 * a plain increment then writes the old count back, plus one, as if there had
 * been no reset of this counter. An atomic one is kept or lost, and so is what
 * a loop counts in a register. Words are written whole.
 */
BAREPROF_API void bareprof_reset(struct bareprof_image *image);

/*
 * An image opened for reading as a .profraw. The caller owns it; it has about
 * 350 bytes on 32-bit targets and 500 on others, so think before putting it on
 * a small stack. All but size is for bareprof's own use.
 */
struct bareprof_dump {
	const struct bareprof_image *image;
	size_t size; /* of the whole .profraw, bytes */
	size_t epoch; /* generation and releases of the image when opened */
	size_t header_size; /* bytes used of header[] */
	uint64_t header[BAREPROF_HEADER_MAX + 1]; /* and the build id's length */
};

/*
 * bareprof_open - open @image as a .profraw; dump->size is then its exact size
 * and does not change. Does not touch the counters. Constant time.
 * Errors: NO_RECORDS, VALUE_SITES.
 */
BAREPROF_API int bareprof_open(struct bareprof_dump *dump, const struct bareprof_image *image);

/*
 * bareprof_read - copy @n bytes at @offset of the .profraw to @buf.
 *
 * Returns how many bytes were copied: fewer than @n only at the end, 0 at or
 * beyond it. With NULL for @buf nothing is copied, only counted. Errors: STALE.
 *
 * A reset by an interrupt or another CPU while a read is under way is seen by
 * the next read: one of 0 bytes after the last says whether all was of one
 * generation. (A capture's END sees it.)
 *
 * Counters are read live, in words of the machine. While other CPUs count, a
 * range that is read twice may differ in counter values, never in anything
 * else; a counter that does not fit a machine word, or that the edge of a
 * window cuts in two, may be seen between two of its values. Windows that are
 * multiples of 8 cut no counter (version 7 with a build id excepted). Counters
 * that add up, as those of a branch do, may then be some increments apart.
 */
BAREPROF_API intptr_t bareprof_read(const struct bareprof_dump *dump, size_t offset, void *buf, size_t n);

/*
 * bareprof_write - open and read in one call: the whole .profraw of @image into
 * @buf of @n bytes. *dump is scratch of the caller.
 *
 * Returns the size written. Errors: those of open and read, and NO_SPACE if @n is
 * less than dump->size, which then tells the size needed; nothing is written.
 * This is one read: a reset meanwhile is not noticed.
 */
BAREPROF_API intptr_t bareprof_write(
	struct bareprof_dump *dump, const struct bareprof_image *image, void *buf, size_t n);

#ifdef __cplusplus
}
#endif

#endif
