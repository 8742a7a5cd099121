/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.lds.h - where an image keeps its profile: the one truth about the
 * sections, for linker scripts that go through the C preprocessor. The plain
 * scripts that `make linker` writes are made of these macros as well.
 *
 *	#include "bareprof.lds.h"
 *
 *	SECTIONS
 *	{
 *		.data : { ... }
 *		BAREPROF_COUNTERS(, )
 *		BAREPROF_VALUES(, )
 *		BAREPROF_RECORDS( )
 *		BAREPROF_NOTE( )
 *		.bss : { ... }
 *		BAREPROF_COVERAGE
 *	}
 *
 * The last argument of a macro goes behind each section's closing brace, such
 * as `> FLASH` or `:data`; it may be empty. Records, names and the note are
 * constants and may live in ROM. Use all five macros: bareprof wants every
 * bound defined, for sections that are empty too.
 *
 * Counters need not be loaded, they only need RAM; then bareprof_start() fills
 * them, and a word outside of them says that it did:
 *
 *		BAREPROF_COUNTERS((NOLOAD), > RAM)
 *		BAREPROF_VALUES((NOLOAD), > RAM)
 *		BAREPROF_VALID(> RAM)
 *
 * (lld 15 and 16 warn there that the type of the sections does not match; the
 * result is right. Others are silent.)
 *
 * A tree that gives every section a load address defines BAREPROF_AT first:
 *
 *	#define BAREPROF_AT(name) AT(ADDR(name) - LOAD_OFFSET)
 *
 * Place these before a /DISCARD/ or a wildcard that would take the sections:
 * the first rule that matches wins. Everything is under KEEP, so --gc-sections
 * drops nothing that a record speaks of.
 */
/* clang-format off */
#ifndef BAREPROF_LDS_H
#define BAREPROF_LDS_H

#ifndef BAREPROF_AT
#define BAREPROF_AT(name)
#endif

/*
 * A section of the same name as its input, so that tools find it in the ELF
 * file. Its start is aligned for the runtime; its end is that of its content.
 */
#define BAREPROF_SECTION(name, type, where)   \
	name type : BAREPROF_AT(name) ALIGN(8) \
	{                                      \
		__start_##name = .;            \
		KEEP(*(name))                  \
		__stop_##name = .;             \
	} where

/* Counters and MC/DC bitmaps. @type is (NOLOAD) or empty. */
#define BAREPROF_COUNTERS(type, where)                 \
	BAREPROF_SECTION(__llvm_prf_cnts, type, where) \
	BAREPROF_SECTION(__llvm_prf_bits, type, where)

/* What value profiling writes to: list heads and nodes. */
#define BAREPROF_VALUES(type, where)                   \
	BAREPROF_SECTION(__llvm_prf_vals, type, where) \
	BAREPROF_SECTION(__llvm_prf_vnds, type, where)

/* Records, names, and the same for vtables. */
#define BAREPROF_RECORDS(where)                     \
	BAREPROF_SECTION(__llvm_prf_data, , where)  \
	BAREPROF_SECTION(__llvm_prf_vtab, , where)  \
	BAREPROF_SECTION(__llvm_prf_names, , where) \
	BAREPROF_SECTION(__llvm_prf_vns, , where)

/*
 * The build id that the linker makes (--build-id). The symbols bound the id
 * itself: the note around it is always 16 bytes of header. Without a note both
 * are the same address.
 */
#define BAREPROF_NOTE(where)                                                              \
	.note.gnu.build-id : BAREPROF_AT(.note.gnu.build-id) ALIGN(4)                     \
	{                                                                                 \
		__bareprof_note = .;                                                      \
		KEEP(*(.note.gnu.build-id))                                               \
		__stop_bareprof_build_id = .;                                             \
		__start_bareprof_build_id = . - __bareprof_note > 16 ? __bareprof_note + 16 : .; \
	} where

/* The word that tells filled counters from what was in RAM before. */
#define BAREPROF_VALID(where)                                           \
	.bareprof_valid (NOLOAD) : BAREPROF_AT(.bareprof_valid) ALIGN(8) \
	{                                                               \
		__bareprof_valid = .;                                   \
		. += 8;                                                 \
	} where

/*
 * What maps counters to source lines: read from the ELF file, never loaded.
 * After the last section with an address, as GNU ld forgets the difference
 * between load and run address here.
 */
#define BAREPROF_COVERAGE                                 \
	__llvm_covmap 0 : { KEEP(*(__llvm_covmap)) }      \
	__llvm_covfun 0 : { KEEP(*(__llvm_covfun)) }

#endif
