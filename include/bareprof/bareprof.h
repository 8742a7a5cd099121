/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.h - LLVM instrumentation profiles for programs without an OS.
 *
 * This header has the core of the target side. An example of its use:
 *
 *	static struct bareprof_image image;
 *	static struct bareprof_dump dump;
 *
 *	err = bareprof_image_self(&image);            finds and checks the sections
 *	bareprof_reset(&image);                       sets all counters to 0
 *	n = bareprof_write(&dump, &image, buf, size); writes a .profraw to buf
 *
 * Memory. No function allocates memory, calls itself, or keeps state between two calls. The
 * caller owns every struct and every buffer.
 *
 * Errors. Functions that can fail return a negative enum bareprof_error.
 *
 * Contexts. A function may be called in any context (interrupt, NMI, panic) and on any CPU,
 * as long as no other CPU uses the same struct. The comments of some functions restrict
 * this further. Several CPUs may read dumps of one image at the same time, because reading
 * does not change the image. Instrumented code may continue to run on other CPUs. The
 * comments of bareprof_read() and bareprof_reset() explain the effects of this.
 *
 * When two CPUs increment one counter at the same time, a plain increment is sometimes
 * lost. An atomic increment (clang's -fprofile-update=atomic) is never lost. For the
 * Cortex-M, arch/arm/atomic.c implements atomic increments.
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
 * The errors of the target side. bareprof_strerror() returns a sentence for each error.
 */
enum bareprof_error {
	BAREPROF_OK = 0,

	/* Errors that the caller can correct. */
	BAREPROF_E_NO_SPACE = -1, /* the buffer is too small */
	BAREPROF_E_ARGUMENT = -2, /* an index beyond the end */
	BAREPROF_E_SINK = -3, /* the caller's sink refused the data */

	/* The image lacks something that the failed call needs. */
	BAREPROF_E_NO_COUNTERS = -16, /* no counters: nothing was instrumented, or the linker dropped their section */
	BAREPROF_E_NO_RECORDS = -17, /* no records or no names in memory, so the target cannot write a .profraw */
	BAREPROF_E_VALUE_SITES = -18, /* the records have value sites: call bareprof_values_hold() first */

	/* The image is inconsistent, so no profile is written from it. */
	BAREPROF_E_ALIGN = -33, /* the records do not start on an 8-byte boundary */
	BAREPROF_E_RECORD = -34, /* a record fits no known layout: its counters are missing or outside their section */
	BAREPROF_E_MIXED = -35, /* records of two layouts: the objects come from different compilers */
	BAREPROF_E_OVERLAP = -36, /* each record fits, but two records overlap, or a counter or bitmap has no record */
	BAREPROF_E_AMBIGUOUS = -37, /* the records fit two layouts, which would give different profiles */
	BAREPROF_E_VERSION = -38, /* __llvm_profile_raw_version is unknown, or contradicts the records */
	BAREPROF_E_BUILD_ID = -39, /* the section of the build id holds another ELF note */
	BAREPROF_E_TIMESTAMPS = -40, /* clang makes no timestamps in temporal profiles with entry-only byte coverage */
	BAREPROF_E_READ_ONLY = -41, /* the call has to change the records, but they are in ROM */

	/* The call is not possible now, but may succeed later. */
	BAREPROF_E_STALE = -48, /* counters were reset, values released, or a set changed after the dump was opened */
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
 * Numbers for the header of a .profraw. The runtime computes them from the layout and the
 * sections of the image.
 */
struct bareprof_profraw_fields {
	uint64_t zero_padding; /* always 0; the padding after a section (at most 7 bytes) is copied from here */
	size_t id_size; /* bytes that the build id takes in the file, with its length word and padding */
	size_t counters_delta;
	size_t bitmap_delta;
	size_t vtables;
	size_t last_kind; /* number of the last kind of values; the first kind has the number 0 */
	size_t padding[BAREPROF_SECTIONS]; /* number of zero bytes after each section in the file */
};

struct bareprof_values;

/*
 * A runtime that is compiled with BAREPROF_MIP_BLOCKS_MODE or BAREPROF_MIP_SAMPLES_MODE serves all sections of a
 * machine profile (mip.h). Any other runtime serves only coverage bytes and call entries.
 */
#if defined(CONFIG_BAREPROF_MIP_BLOCKS) || defined(BAREPROF_MIP_BLOCKS_MODE) || defined(BAREPROF_MIP_SAMPLES_MODE)
#define BAREPROF_SERVES_BLOCKS 1
#else
#define BAREPROF_SERVES_BLOCKS 0
#endif

/*
 * One instrumented program: a kernel, a hypervisor, firmware. The caller owns this struct
 * and keeps it in place while a dump of the image is open. The caller may read all fields.
 * The caller of bareprof_image_init() sets section[] and number before the call.
 */
struct bareprof_image {
	uint64_t version; /* version word: variant bits, and the raw version (0: unknown) */
	size_t records; /* number of records in memory */
	size_t counters;
	/* A counter has 1 << shift bytes. shift is 3 for counters of 8 bytes, 0 for bytes that start as 0xff. */
	size_t shift;
	size_t machine; /* 0; in a machine profile (mip.h) 0xff, the start value of call entries and block bytes */
	size_t value_sites; /* non-zero if any record has value sites */
	size_t generation; /* number of times that the counters were reset */
	struct bareprof_slice section[BAREPROF_ALL_SECTIONS];
	/* The next two fields are used only if the runtime is compiled with value profiling, see values.h. */
	struct bareprof_values *values; /* NULL: no values are recorded */
	size_t releases; /* number of times that the lists of values were released, see bareprof_values_release() */
	const struct bareprof_image *live; /* this image itself; in a snapshot, the image that was copied */
	size_t number; /* image number, 0 to 65535, by which a caller distinguishes its images */
	struct bareprof_profraw_fields profraw; /* valid only if there are records */
};

/*
 * bareprof_image_self - describes the image into which the runtime is linked.
 *
 * Takes the bounds of the sections from the symbols of the linker fragments, sets
 * image->number to 0, and calls bareprof_image_init(), whose errors it returns.
 */
BAREPROF_API int bareprof_image_self(struct bareprof_image *image);

/*
 * bareprof_image_init - finds out the layout of an image and checks it. Before the call,
 * the caller sets image->number and, in image->section[], the bounds of all sections. Size
 * 0 means that the image does not have this section.
 *
 * @declared is the word in the image's __llvm_profile_raw_version, or 0 if no object
 * defines that symbol (objects of plain source coverage do not).
 *
 * The check tries every known layout on every record. A layout fits if
 *
 *	- each record has counters, and all of them are within the section of counters;
 *	- the counters of all records fill that section, without gap or overlap
 *	  (not checked in temporal profiles, where timestamps leave gaps);
 *	- all bitmaps are within their section, and their sizes add up to the size of the
 *	  section of bitmaps.
 *
 * Time is linear in the number of records. Only *image is written. An image that has
 * counters but no records is legal, but no .profraw can be read from it.
 *
 * Errors: NO_COUNTERS, ALIGN, RECORD (see bareprof_diagnose()), MIXED, OVERLAP (see
 * bareprof_fix_weak_duplicates()), AMBIGUOUS, VERSION, TIMESTAMPS.
 */
BAREPROF_API int bareprof_image_init(struct bareprof_image *image, uint64_t declared);

/*
 * bareprof_diagnose - finds the record because of which bareprof_image_init() returned
 * RECORD.
 *
 * This function looks for the layout that fits the longest sequence of records, starting at
 * the first record. It sets *record to the index of the first record that does not fit this
 * layout. Returns MIXED if another layout fits that record, otherwise RECORD. An image that
 * does not call this function does not contain its code.
 */
BAREPROF_API int bareprof_diagnose(struct bareprof_image *image, uint32_t *record);

/*
 * bareprof_fix_weak_duplicates - repairs the records of weak duplicates, after
 * bareprof_image_init() returned OVERLAP.
 *
 * When several objects define the same weak function, the linker keeps only one of the
 * definitions, but keeps the records and counters of all definitions. The records of the
 * discarded definitions then point to the counters of the prevailing definition. No record
 * points to the counters of the discarded definitions:
 *
 *	record                      points to    its own counters
 *	0  f()                      counters 0   counters 0
 *	1  g()                      counters 1   counters 1
 *	2  f() again, discarded     counters 0   counters 2, which never count
 *
 * This function makes each weak duplicate point to its own counters, bitmap and lists of
 * values. The records must be in RAM. Large kernels need this repair. Firmware usually does
 * not need it, because firmware has few weak functions. In captures of counters, the host
 * program makes this repair.
 *
 * Returns the number of weak duplicates. After that call bareprof_image_init() again. Time
 * is at most quadratic in the number of records. Nothing else may use the image during the
 * call. Errors: OVERLAP if the records have a fault that weak duplicates do not explain
 * (then nothing was changed); READ_ONLY if the records are in ROM.
 */
BAREPROF_API int bareprof_fix_weak_duplicates(struct bareprof_image *image);

/*
 * bareprof_build_id - sets image->section[BAREPROF_BUILD_ID] to the build id in an ELF
 * note. @note points to the section of the note, which has @size bytes. The section must
 * stay in place. @size 0 means that the image has no build id, which is legal. Errors:
 * BUILD_ID if the section holds anything other than one GNU build id note.
 */
BAREPROF_API int bareprof_build_id(struct bareprof_image *image, const void *note, uint32_t size);

/*
 * bareprof_start - prepares the image into which the runtime is linked, if its counters are
 * in NOLOAD memory. Describes the image as bareprof_image_self() does, and sets the
 * counters to their start value. Then marks the counters as valid, in a word of memory that
 * the linker fragment reserves (BAREPROF_VALID).
 *
 * Call this function when RAM is usable, but before the first instrumented function runs on
 * any CPU. Do not instrument this function or any function that it calls. Errors: those of
 * bareprof_image_self().
 */
BAREPROF_API int bareprof_start(struct bareprof_image *image);

/*
 * bareprof_started - returns non-zero if the counters in memory are valid: bareprof_start()
 * of the same build has filled them, and the memory has kept its contents since then.
 * Returns 0 if RAM has random contents, or if another build left its counters in RAM. The
 * sections of @image must be known.
 */
BAREPROF_API int bareprof_started(const struct bareprof_image *image);

/*
 * bareprof_reset - sets all counters to the value that means "never run", and all bitmaps
 * and the counts of all recorded values to 0. If *image is a machine profile (mip.h), sets all
 * bytes of its sections to their start value.
 *
 * Time is linear in the number of bytes that it sets. Open dumps of the image become stale,
 * and their next read returns STALE. No other CPU may open a dump of the image during the
 * call.
 *
 * If code counts during the call, it is possible that some counters are not reset. Another
 * CPU, or the code that this call interrupted, may have read a counter already and write it
 * back after the reset. A plain increment then restores the old count plus one, as if this
 * counter had not been reset. An atomic increment during the call is lost or is kept. A
 * loop that keeps a counter in a register writes the counter when the loop ends. This may
 * restore the old count, or add counts from before the call. The call writes only whole
 * machine words.
 */
BAREPROF_API void bareprof_reset(struct bareprof_image *image);

/*
 * An image that is open for reading as a .profraw. The caller owns this struct. It takes
 * about 350 bytes on 32-bit targets and 500 bytes on others, which may be too much for a
 * small stack. The caller may read size; only bareprof uses the other fields.
 */
struct bareprof_dump {
	const struct bareprof_image *image;
	size_t size; /* size of the whole .profraw, bytes */
	size_t epoch; /* epoch of the image when the dump was opened: its generation plus its releases */
	size_t header_size; /* header[] uses this many bytes, from its start */
	uint64_t header[BAREPROF_HEADER_MAX + 1]; /* the header, and the length of the build id */
};

/*
 * bareprof_open - opens @image for reading as a .profraw. Sets dump->size to the exact
 * size of the .profraw in bytes, which does not change while the dump is open. The call
 * does not read the counters. Time is constant if the image has no value sites. Otherwise
 * time is linear in the number of records and values of the image. *image must stay in
 * place while the dump is open. Errors: NO_RECORDS, VALUE_SITES.
 */
BAREPROF_API int bareprof_open(struct bareprof_dump *dump, const struct bareprof_image *image);

/*
 * bareprof_read - copies @n bytes of the .profraw, from byte @offset on, to @buf. If @buf
 * is NULL, the function copies nothing, and returns the number of bytes that it would
 * copy.
 *
 * Returns the number of bytes copied. This number is less than @n only if the .profraw ends
 * earlier. It is 0 if @offset is at the end of the .profraw or beyond. Errors: STALE if the
 * counters were reset, or the lists of values released, after the dump was opened.
 *
 * A read notices resets before the read, but not a reset during the read. So if you read
 * the .profraw in several windows, read 0 bytes once more after the last window. If this
 * read does not return STALE, there was no reset from the first window to the last. (In a
 * capture, the END block makes this check.)
 *
 * The read copies the live counters, one machine word at a time. While other CPUs count:
 *
 *	- A second read of the same range may return different counter values. All other
 *	  bytes are the same.
 *	- If a counter is wider than a machine word, or if the edge of a window cuts a
 *	  counter in two, the read may return a number that the counter never had. Windows
 *	  whose sizes and offsets are multiples of 8 bytes cut no counter. The exception is
 *	  a .profraw of version 7 with a build id, in which counters may start at any
 *	  offset.
 *	- Counters that belong together may disagree by a few increments. For example, the
 *	  counters of the two sides of a branch may not add up to the counter before the
 *	  branch.
 */
BAREPROF_API intptr_t bareprof_read(const struct bareprof_dump *dump, size_t offset, void *buf, size_t n);

/*
 * bareprof_write - writes the whole .profraw of @image to @buf, which has @n bytes. It
 * calls bareprof_open() and bareprof_read(). *dump is scratch memory of the caller.
 *
 * Returns the number of bytes written. The function does not notice a reset during the
 * call. Errors: those of bareprof_open() and bareprof_read(); NO_SPACE if @n is too small.
 * After NO_SPACE nothing was written, and dump->size is the size that @buf must have.
 */
BAREPROF_API intptr_t bareprof_write(
	struct bareprof_dump *dump, const struct bareprof_image *image, void *buf, size_t n);

#ifdef __cplusplus
}
#endif

#endif
