/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * salvage.h - takes the functions out of a damaged file whose counts are proven sound. Each block of a capture has a
 * checksum, which proves its counts. A raw profile has none: a count that changed in place looks like any other count. So
 * nothing of a damaged raw profile is proven, and its counts are written only if the user trusts them.
 */
#ifndef BAREPROF_HOST_SALVAGE_H
#define BAREPROF_HOST_SALVAGE_H

#include "doctor.h"
#include "raw_profile.h"
#include "sparse_buffer.h"

struct salvage {
	bool trust; /* set by the caller: take counts that nothing proves, if the damage does not touch them */
	struct bytes id; /* build id of the dump, which a checksum proves; empty: none */
	struct buffer profile; /* a raw profile of the functions that were saved */
	struct buffer left_out; /* names of the functions that were not saved, one on each line */
	size_t kept;
	size_t of; /* functions of the program; 0: not known */
	bool used_elf;
	bool changed; /* records or names differ from those of the ELF file, so bytes changed in place */
};

/*
 * salvage_file - takes the sound functions out of @file. Errors: INVALID_INPUT if nothing can be saved, or if @file has no
 * damage that is seen; the text tells why. The caller calls salvage_free(), also after an error.
 */
enum status salvage_file(
	struct doctor *doctor, const struct doctor_file *file, struct salvage *salvage, struct error *error);
void salvage_free(struct salvage *salvage);

/*
 * salvage_raw - takes those functions out of a raw profile whose counters arrived. @bytes have the bytes that arrived,
 * at the offsets of the file, which has as many bytes as its header tells. Errors: INVALID_INPUT.
 */
enum status salvage_raw(
	struct doctor *doctor, const struct sparse_buffer *bytes, struct salvage *salvage, struct error *error);

/*
 * salvage_proves_program - returns whether @id, the build id of a dump, proves that the dump comes from one of the ELF files.
 * Otherwise sets @error. If the user trusts the counts, the result is true.
 */
bool salvage_proves_program(struct doctor *doctor, const struct salvage *salvage, struct bytes id, struct error *error);

/*
 * salvage_total - returns the size in bytes of all sections that the header of @profile tells. Returns UINT64_MAX if a file
 * of which @size bytes are there cannot have this size.
 */
uint64_t salvage_total(const struct raw_profile *profile, size_t size);

#endif
