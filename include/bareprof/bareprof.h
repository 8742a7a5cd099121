/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.h - LLVM instrumentation profiles for programs without an OS.
 *
 * The core of the target side. In a few lines:
 *
 *	static struct bareprof_image image;
 *	static struct bareprof_dump dump;
 *
 *	err = bareprof_image_self(&image);            finds and checks the sections
 *	bareprof_reset(&image);                       counters to zero
 *	n = bareprof_write(&dump, &image, buf, size); a .profraw in buf
 *
 * Memory. No function allocates, recurses or keeps state of its own. The caller
 * owns every struct and every buffer.
 *
 * Errors. Functions that can fail return a negative enum bareprof_error.
 *
 * Contexts. Unless a comment restricts it, a function may be called in any context
 * (interrupt, NMI, panic) and on any CPU, as long as no other CPU uses the same
 * struct. Several CPUs may read dumps of one image at the same time, because reading
 * does not change the image. Instrumented code may go on running on other CPUs;
 * bareprof_read() and bareprof_reset() explain the effects.
 *
 * When two CPUs increment one counter at the same time, a plain increment is sometimes
 * lost. Atomic increments (clang's -fprofile-update=atomic) are never lost. For the
 * Cortex-M, arch/arm/atomic.c implements them.
 *
 * docs/SPEC.md describes the formats, docs/DESIGN.md gives the reasons.
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
 * The errors of the target side. bareprof_strerror() has a sentence for each.
 */
enum bareprof_error {
	BAREPROF_OK = 0,

	/* The caller can correct these. */
	BAREPROF_E_NO_SPACE = -1, /* the buffer is too small */
	BAREPROF_E_ARGUMENT = -2, /* an index beyond the end */
	BAREPROF_E_SINK = -3, /* the caller's sink refused the data */

	/* The image lacks something that this call needs. */
	BAREPROF_E_NO_COUNTERS = -16, /* no counters: not instrumented, or the link lost their section */
	BAREPROF_E_NO_RECORDS = -17, /* no records or no names in memory, so the target cannot write a .profraw */
	BAREPROF_E_VALUE_SITES = -18, /* the records have value sites: call bareprof_values_hold() first */

	/* The image is inconsistent. No profile is ever written from it. */
	BAREPROF_E_ALIGN = -33, /* the records do not start on an 8-byte boundary */
	BAREPROF_E_RECORD = -34, /* a record fits no known layout: no counters, or counters outside their section */
	BAREPROF_E_MIXED = -35, /* records of two layouts: the objects come from different compilers */
	BAREPROF_E_OVERLAP = -36, /* the records fit, but overlap, or leave counters or bitmaps without a record */
	BAREPROF_E_AMBIGUOUS = -37, /* the records fit two layouts that read differently */
	BAREPROF_E_VERSION = -38, /* __llvm_profile_raw_version is unknown, or contradicts the records */
	BAREPROF_E_BUILD_ID = -39, /* the note is not a build id */
	BAREPROF_E_TIMESTAMPS = -40, /* temporal and entry-only: clang makes no timestamps for this combination */
	BAREPROF_E_READ_ONLY =
		-41, /* the records are in ROM, but values of clang up to 17 or weak duplicates need them in RAM */

	/* Not possible now; a later attempt may succeed. */
	BAREPROF_E_STALE = -48, /* since opening: a reset, a release of values, or a change of the set */
	BAREPROF_E_BUSY = -49, /* a list of values is being changed: try again later */
};

/*
 * bareprof_strerror - returns a static English sentence for @error, which may be any
 * number. Never returns NULL.
 */
BAREPROF_API const char *bareprof_strerror(intptr_t error);

struct bareprof_slice {
	const void *start;
	size_t size; /* bytes */
};

/*
 * Header fields of a .profraw that follow from the layout and the sections.
 */
struct bareprof_profraw_fields {
	uint64_t zero_padding; /* always 0; padding, up to 7 bytes, is copied from here */
	size_t id_size; /* bytes of the build id in the file, with its length word and padding */
	size_t counters_delta;
	size_t bitmap_delta;
	size_t vtables;
	size_t last_kind; /* highest kind of value */
	size_t padding[BAREPROF_SECTIONS]; /* zero bytes after each section in the file */
};

struct bareprof_values;

/*
 * One instrumented thing: a kernel, a hypervisor, firmware. The caller owns it and keeps
 * it as long as dumps of the image are open. All fields may be read. The caller of
 * bareprof_image_init() sets section[] and number.
 */
struct bareprof_image {
	uint64_t version; /* the raw version, found in the records or declared (0: unknown), and the variant bits */
	size_t records; /* number of records in memory */
	size_t counters;
	size_t shift; /* a counter has 1 << shift bytes: 3, or 0 for byte counters */
	size_t value_sites; /* non-zero if any record has value sites */
	size_t generation; /* how often the counters were reset */
	struct bareprof_slice section[BAREPROF_ALL_SECTIONS];
	/* Set only if the runtime is compiled with value profiling, see values.h. */
	struct bareprof_values *values; /* NULL: no values are recorded */
	size_t releases; /* how often the lists of values were released, see bareprof_values_release() */
	const struct bareprof_image *live; /* the image itself; in a snapshot, the image that was copied */
	size_t number; /* tells the caller's images apart, 0 to 65535 */
	struct bareprof_profraw_fields profraw; /* set if there are records */
};

/*
 * bareprof_image_self - describes the image into which the runtime is linked.
 *
 * Takes the bounds of the sections from the symbols of the linker fragments, sets
 * image->number to 0, and calls bareprof_image_init(), whose errors it returns.
 */
BAREPROF_API int bareprof_image_self(struct bareprof_image *image);

/*
 * bareprof_image_init - learns and checks the layout of an image. Before the call, the
 * caller sets the bounds of all sections, image->section[] (size 0: no such section),
 * and image->number.
 *
 * @declared is the word in the image's __llvm_profile_raw_version, or 0 if no object
 * defines that symbol (objects of plain source coverage do not).
 *
 * The check tries every known layout on every record. A layout fits if
 *
 *	- each record has counters, and all of them are within the section of counters;
 *	- the counters of all records fill that section, without gap or overlap
 *	  (not checked in temporal profiles, where timestamps leave gaps);
 *	- all bitmaps are within their section, and the sum of their sizes is its size.
 *
 * Time is linear in the number of records. Only *image is written. An image that has
 * counters but no records is legal, but no .profraw can be read from it.
 *
 * Errors: NO_COUNTERS, ALIGN, RECORD (see bareprof_diagnose()), MIXED, OVERLAP (see
 * bareprof_fix_weak_duplicates()), AMBIGUOUS, VERSION, TIMESTAMPS.
 */
BAREPROF_API int bareprof_image_init(struct bareprof_image *image, uint64_t declared);

/*
 * bareprof_diagnose - finds the reason after bareprof_image_init() returned RECORD.
 *
 * Takes the layout that fits the most records from the first on, and sets *record to the
 * index of the first record that does not fit it. Returns MIXED if another layout fits from
 * that record on, else RECORD. The function has a source file of its own, so an image that
 * does not call it does not contain it.
 */
BAREPROF_API int bareprof_diagnose(struct bareprof_image *image, uint32_t *record);

/*
 * bareprof_fix_weak_duplicates - repairs the records of weak duplicates, after
 * bareprof_image_init() returned OVERLAP.
 *
 * When several objects define the same weak function, the linker keeps one definition, but
 * the records and counters of all of them. The records of the discarded definitions then
 * point to the counters of the prevailing one, and their own counters belong to no record:
 *
 *	record                      points to    its own counters
 *	0  f()                      counters 0   counters 0
 *	1  g()                      counters 1   counters 1
 *	2  f() again, discarded     counters 0   counters 2, which never count
 *
 * This function makes each such record point to its own counters, bitmap and lists of
 * values. The records must be in RAM. Large kernels need this. Firmware has few weak
 * functions, and in captures of counters the host program makes this repair.
 *
 * Returns the number of weak duplicates; then call bareprof_image_init() again. Time is
 * at most quadratic in the number of records. Nothing else may use the image during the
 * call. Errors: OVERLAP if the image has another fault, and nothing was changed; READ_ONLY
 * if the records are in ROM.
 */
BAREPROF_API int bareprof_fix_weak_duplicates(struct bareprof_image *image);

/*
 * bareprof_build_id - sets image->section[BAREPROF_BUILD_ID] to the id in an ELF note
 * section of @size bytes at @note, which must stay in place. @size 0 means that the image
 * has no build id, which is legal. Errors: BUILD_ID if the section holds anything other
 * than one GNU build id note.
 */
BAREPROF_API int bareprof_build_id(struct bareprof_image *image, const void *note, uint32_t size);

/*
 * bareprof_start - prepares an image whose counters are in NOLOAD memory: describes it as
 * bareprof_image_self() does, sets its counters to their start value, and marks them as
 * valid in the validity word of the linker fragment (BAREPROF_VALID).
 *
 * Call it once RAM is usable, and before the first instrumented function runs on any CPU.
 * Neither it nor anything it calls may be instrumented. Errors: as bareprof_image_self().
 */
BAREPROF_API int bareprof_start(struct bareprof_image *image);

/*
 * bareprof_started - returns non-zero if bareprof_start() of this same build has filled
 * the counters since the memory last lost its contents. So it distinguishes valid counters
 * from random contents of RAM, and from those that another build left there. The sections
 * of @image must be known.
 */
BAREPROF_API int bareprof_started(const struct bareprof_image *image);

/*
 * bareprof_reset - sets all counters to "never run", and all bitmaps and the counts of all
 * recorded values to zero.
 *
 * Time is linear in the size of all these. Open dumps of the image become stale, and their
 * next read returns STALE. No other CPU may open a dump of the image during the call.
 *
 * All counters are reset afterwards only if nothing counts during the call. Another CPU, or
 * the code that this call interrupted, may have read a counter already and be about to
 * write it back. A plain increment then restores the old count plus one, as if this counter
 * had not been reset. An atomic increment during the call is either kept or lost, and so is
 * a count that a loop keeps in a register. Machine words are always written whole.
 */
BAREPROF_API void bareprof_reset(struct bareprof_image *image);

/*
 * An image opened for reading as a .profraw. The caller owns it. It has about 350 bytes on
 * 32-bit targets and 500 on others, which may be too much for a small stack. The caller may
 * read size; only bareprof uses the other fields.
 */
struct bareprof_dump {
	const struct bareprof_image *image;
	size_t size; /* of the whole .profraw, bytes */
	size_t epoch; /* generation and releases of the image when opened */
	size_t header_size; /* bytes used of header[] */
	uint64_t header[BAREPROF_HEADER_MAX + 1]; /* the header, and the length of the build id */
};

/*
 * bareprof_open - opens @image for reading as a .profraw. Sets dump->size to the exact
 * size of the .profraw in bytes, which does not change while the dump is open. Does not
 * touch the counters. Takes constant time, or if the image has value sites, time linear in
 * the number of its records and values. *image must stay in place while the dump is open.
 * Errors: NO_RECORDS, VALUE_SITES.
 */
BAREPROF_API int bareprof_open(struct bareprof_dump *dump, const struct bareprof_image *image);

/*
 * bareprof_read - copies @n bytes from @offset of the .profraw, in bytes, to @buf. If @buf
 * is NULL, it only counts the bytes.
 *
 * Returns the number of bytes copied: fewer than @n only at the end of the .profraw, 0 at
 * its end and beyond. Errors: STALE if the counters were reset, or the lists of values
 * released, after the dump was opened.
 *
 * A read notices resets that came before it, not one that comes during it. So if you read
 * the .profraw in several windows, make one more read of 0 bytes after the last window: if
 * it does not return STALE, there was no reset between the windows. (In a capture, the END
 * block makes this check.)
 *
 * The read copies the live counters, one machine word at a time. While other CPUs count:
 *
 *	- A second read of the same range may return different counter values. All other
 *	  bytes are the same.
 *	- A counter wider than a machine word, or cut in two by the edge of a window, may
 *	  be read between two of its values. Windows that are multiples of 8 bytes cut no
 *	  counter (except in version 7 with a build id).
 *	- Counters with a fixed sum, such as those of the two sides of a branch, may disagree
 *	  by a few increments.
 */
BAREPROF_API intptr_t bareprof_read(const struct bareprof_dump *dump, size_t offset, void *buf, size_t n);

/*
 * bareprof_write - writes the whole .profraw of @image to @buf of @n bytes: opens and reads
 * in one call. *dump is the caller's scratch memory.
 *
 * Returns the number of bytes written. Does not notice a reset that happens during the
 * call. Errors: those of bareprof_open() and bareprof_read(); NO_SPACE if @n is too small:
 * then nothing was written, and dump->size is the size needed.
 */
BAREPROF_API intptr_t bareprof_write(
	struct bareprof_dump *dump, const struct bareprof_image *image, void *buf, size_t n);

#ifdef __cplusplus
}
#endif

#endif
