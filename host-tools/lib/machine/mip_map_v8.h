/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_map_v8.h - reads and writes maps of version 8 (docs/SPEC.md, 4.5). Its records have 32-bit distances instead of
 * addresses.
 */
#ifndef BAREPROF_HOST_MIP_MAP_V8_H
#define BAREPROF_HOST_MIP_MAP_V8_H

#include "mip_header.h"
#include "mip_profile.h"

/*
 * mip_map_v8_read - adds the records of @bytes to @profile, and sets the sizes of the raw sections to those that the
 * records need. Errors: INVALID_INPUT.
 * mip_map_v8_write - appends a map of version 8. Errors: INVALID_INPUT if version 8 cannot hold the map.
 */
enum status mip_map_v8_read(struct mip_profile *profile, struct bytes bytes, struct error *error);
enum status mip_map_v8_write(struct buffer *out, const struct mip_profile *profile, struct error *error);

/*
 * mip_v8_begin - reads the header of a file of version 8, sets the fields of @profile that the header tells, and moves
 * @cursor to the data after the header. Errors: INVALID_INPUT.
 * mip_v8_widen - widens the raw section of @profile so that it has the raw bytes of @function.
 * mip_map_bad_record - returns an error about the map record at @offset.
 */
enum status mip_v8_begin(struct mip_profile *profile, struct mip_v8_header *header, struct cursor *cursor,
	struct bytes bytes, struct error *error);
void mip_v8_widen(struct mip_profile *profile, const struct mip_function *function);
enum status mip_map_bad_record(size_t offset, const char *what, struct error *error);

/*
 * mip_v8_possible - checks that a file of version 8 can hold @profile: all functions have the same kinds. Errors:
 * INVALID_INPUT.
 * mip_v8_kinds - returns the kinds of @profile in version 8, in which each function has coverage or calls.
 * mip_v8_distance - sets *@distance to the distance of @function from the start of the raw section of version 8.
 * Errors: INVALID_INPUT if the distance does not fit into 32 bits.
 */
enum status mip_v8_possible(const struct mip_profile *profile, struct error *error);
uint32_t mip_v8_kinds(const struct mip_profile *profile);
enum status mip_v8_distance(
	const struct mip_profile *profile, const struct mip_function *function, int32_t *distance, struct error *error);

#endif
