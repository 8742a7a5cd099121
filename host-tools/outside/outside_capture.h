/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside_capture.h - makes the captures of an image from its memory, as the image itself would make them. The target
 * should be stopped. An image has up to three profiles: its counters, a machine profile, and samples. Each of them has
 * captures of its own.
 */
#ifndef BAREPROF_HOST_OUTSIDE_CAPTURE_H
#define BAREPROF_HOST_OUTSIDE_CAPTURE_H

#include "block.h"
#include "placed.h"
#include "samplers.h"

/* A dump has at most this many streams. */
#define OUTSIDE_STREAMS 4

/* A dump that was read from memory. Starts as all zeros; @count is 0 if the program has no such profile. */
struct outside_dump {
	struct begin begin;
	uint8_t number[OUTSIDE_STREAMS]; /* BAREPROF_STREAM_* */
	struct buffer content[OUTSIDE_STREAMS];
	size_t count;
};

/*
 * outside_counters - reads the counters, bitmaps and values of @placed. Errors: INVALID_INPUT (the memory contradicts
 * itself), SYSTEM.
 * outside_machine - reads the machine profile.
 * outside_samples - appends a capture file for each of @samplers whose rings or histogram were initialized to @out.
 */
enum status outside_counters(struct outside_dump *dump, const struct placed *placed, struct error *error);
enum status outside_machine(struct outside_dump *dump, const struct placed *placed, struct error *error);
enum status outside_samples(
	struct buffer *out, const struct placed *placed, const struct samplers *samplers, struct error *error);

/*
 * outside_write - appends a capture file with @dump to @out, or nothing if @dump is empty. This takes longer than to read
 * the memory, so let the target run before.
 * outside_free - frees @dump.
 */
void outside_write(struct buffer *out, const struct outside_dump *dump);
void outside_free(struct outside_dump *dump);

/*
 * outside_records - reads the records and names of a program without an ELF file, and its build id, if the list of symbols
 * has the bounds of the build id. Errors: INVALID_INPUT, SYSTEM.
 */
enum status outside_records(struct placed *placed, struct error *error);

/*
 * outside_values - reads the lists of values, if the image records values. Appends the number of values of each site to
 * @counts, and the values with their counts to @pairs. If the image records none, appends nothing.
 */
enum status outside_values(
	const struct placed *placed, struct buffer *counts, struct buffer *pairs, struct error *error);

/*
 * outside_reset - sets the counters, bitmaps, values, the machine profile and the samples in memory to "never ran", as the
 * runtime does. The runtime does not notice it. Reads the counters again, and fails if they did not change. Errors: USAGE
 * (the memory cannot be written), INVALID_INPUT, SYSTEM.
 * outside_fill - sets the @size bytes to @byte that the ELF file has at @address.
 * outside_values_reset, outside_samples_reset - do it for the values, and for the samples of @samplers.
 */
enum status outside_reset(const struct placed *placed, const struct samplers *samplers, struct error *error);
enum status outside_fill(
	const struct placed *placed, uint64_t address, uint8_t byte, uint64_t size, struct error *error);
enum status outside_values_reset(const struct placed *placed, struct error *error);
enum status outside_samples_reset(const struct placed *placed, const struct samplers *samplers, struct error *error);

/*
 * outside_add - adds a stream to @dump, and returns its content.
 * outside_section - sets @out, which is empty, to the @size bytes that the ELF file has at @address.
 * outside_check_size - checks that a section of @size bytes is no larger than the ELF file. Errors: INVALID_INPUT.
 * outside_begin - returns a BEGIN block that describes the program. The version word and the address are 0.
 */
struct buffer *outside_add(struct outside_dump *dump, uint8_t number);
enum status outside_section(
	struct buffer *out, const struct placed *placed, uint64_t address, uint64_t size, struct error *error);
enum status outside_check_size(const struct placed *placed, uint64_t size, struct error *error);
struct begin outside_begin(const struct placed *placed);

#endif
