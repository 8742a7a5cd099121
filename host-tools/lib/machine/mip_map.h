/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_map.h - reads and writes maps (.mipmap), which say to which function each raw byte belongs (docs/SPEC.md, 4.2 and
 * 4.5).
 */
#ifndef BAREPROF_HOST_MIP_MAP_H
#define BAREPROF_HOST_MIP_MAP_H

#include "mip_profile.h"

/*
 * mip_map_read - adds the records of @bytes, a map of version 8 or 9, to @profile, which must be empty. In a map of
 * version 9, mip_function.raw is an address until mip_map_place() or mip_map_guess() was called. Errors: INVALID_INPUT.
 */
enum status mip_map_read(struct mip_profile *profile, struct bytes bytes, struct error *error);

/*
 * mip_map_place - sets the addresses and sizes of the raw sections, turns addresses of raw bytes into offsets, and
 * checks the profile. The extents come from the ELF file. For version 8, only the address of
 * @section[MIP_COVERAGE] is used: it is the address of the single raw section. Errors: INVALID_INPUT.
 */
enum status mip_map_place(
	struct mip_profile *profile, const struct mip_extent section[MIP_SECTIONS], struct error *error);

/*
 * mip_map_guess - does the same as mip_map_place() if the ELF file is not known. A raw section starts at a multiple of
 * 8. So it starts at the address of its first raw byte, rounded down. Errors: INVALID_INPUT.
 */
enum status mip_map_guess(struct mip_profile *profile, struct error *error);

/*
 * mip_map_write - appends a map of version 8 or 9. Version 8 has no functions that are left out; they are dropped.
 * Errors: INVALID_INPUT if the version cannot hold the map.
 */
enum status mip_map_write(
	struct buffer *out, const struct mip_profile *profile, unsigned int version, struct error *error);

#endif
