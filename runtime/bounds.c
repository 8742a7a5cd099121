/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bounds.c - the sections of the image that this file is linked into, from the
 * symbols that the linker fragments define.
 *
 * The fragments always define all of them, sections or not: a weak undefined
 * reference does not link in a position-independent image at a high address.
 */
#include <bareprof/bareprof.h>

#define BOUNDS(name) BAREPROF_API extern const char __start_##name[], __stop_##name[]

BOUNDS(__llvm_prf_data);
BOUNDS(__llvm_prf_cnts);
BOUNDS(__llvm_prf_bits);
BOUNDS(__llvm_prf_names);
BOUNDS(__llvm_prf_vtab);
BOUNDS(__llvm_prf_vns);
BOUNDS(bareprof_build_id);

BAREPROF_API extern const uint64_t __llvm_profile_raw_version;

/* Straight code: a table of bounds would need relocating under -fpic. */
static int span(struct bareprof_span *s, const char *start, const char *stop)
{
	uintptr_t size = (uintptr_t)stop - (uintptr_t)start;

	s->start = start;
	s->size = (uint32_t)size;
	return s->size != size;
}

int bareprof_image_self(struct bareprof_image *image)
{
	struct bareprof_span *s = image->section;
	int bad;

	image->number = 0;
	bad = span(&s[BAREPROF_DATA], __start___llvm_prf_data, __stop___llvm_prf_data);
	bad |= span(&s[BAREPROF_CNTS], __start___llvm_prf_cnts, __stop___llvm_prf_cnts);
	bad |= span(&s[BAREPROF_BITS], __start___llvm_prf_bits, __stop___llvm_prf_bits);
	bad |= span(&s[BAREPROF_NAMES], __start___llvm_prf_names, __stop___llvm_prf_names);
	bad |= span(&s[BAREPROF_VTAB], __start___llvm_prf_vtab, __stop___llvm_prf_vtab);
	bad |= span(&s[BAREPROF_VNAMES], __start___llvm_prf_vns, __stop___llvm_prf_vns);
	bad |= span(&s[BAREPROF_BUILD_ID], __start_bareprof_build_id, __stop_bareprof_build_id);
	if (bad)
		return BAREPROF_E_BOUNDS;
	bad = bareprof_build_id(image, s[BAREPROF_BUILD_ID].start, s[BAREPROF_BUILD_ID].size);
	if (bad)
		return bad;
	return bareprof_image_init(image, __llvm_profile_raw_version);
}
