/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_file.h - writes sample profiles for the tools of LLVM, and reads their text file.
 */
#ifndef BAREPROF_HOST_SAMPLEPROF_FILE_H
#define BAREPROF_HOST_SAMPLEPROF_FILE_H

#include "error.h"
#include "sampleprof.h"

struct sampleprof_options {
	/*
	 * The release of the clang that will read the file, for example 19. Releases before 14 know no hashes of
	 * inlinees, so the files for them lack these hashes.
	 */
	unsigned int llvm;
	bool guids; /* ext-binary: write GUIDs in place of names, which is smaller */
};

/*
 * sampleprof_write_text - appends @profile to @out as text. Sorts @profile. Text has no @symbols.
 * sampleprof_write_binary - appends @profile to @out as an ext-binary file. Sorts @profile.
 * Both append the whole file or, after an error, nothing. Errors: INVALID_INPUT if the file cannot hold the profile:
 * it has no functions; an offset is above SAMPLEPROF_OFFSET_LAST; a function of a probe profile has no hash, or one of
 * a line profile has one; the text cannot hold a name. The message names the function. It contains no file name; the
 * caller adds it in front.
 */
enum status sampleprof_write_text(
	struct sampleprof *profile, const struct sampleprof_options *options, struct buffer *out, struct error *error);
enum status sampleprof_write_binary(
	struct sampleprof *profile, const struct sampleprof_options *options, struct buffer *out, struct error *error);

/*
 * sampleprof_read_text - adds the text profile in @bytes to @profile, which must be empty, and sets @profile->kind.
 * Reads the files of all releases of LLVM, except profiles with calling contexts or with types of vtables. After an
 * error, @profile contains a part of the file; the caller frees it. Errors: INVALID_INPUT; the message names the line.
 */
enum status sampleprof_read_text(struct sampleprof *profile, struct bytes bytes, struct error *error);

/* Code from the address @start to the address @last ran @count times. @last is the address of an instruction. */
struct sampleprof_range {
	uint64_t start;
	uint64_t last;
	uint64_t count;
};

/* The branch or call at the address @from (0: not known) went @count times to the address @to. */
struct sampleprof_branch {
	uint64_t from;
	uint64_t to;
	uint64_t count;
};

/*
 * sampleprof_write_ranges - appends the counts of ranges and branches to @out, as text for
 * `llvm-profgen --unsymbolized-profile=FILE --use-offset=0`. Addresses are addresses in the ELF file. Errors:
 * INVALID_INPUT if a range ends before it starts.
 */
enum status sampleprof_write_ranges(const struct sampleprof_range *ranges, size_t range_count,
	const struct sampleprof_branch *branches, size_t branch_count, struct buffer *out, struct error *error);

#endif
