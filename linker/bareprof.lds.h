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
 * Lean: records, names and what goes with them stay in the ELF file and are not
 * loaded; only counters are. Take it where memory, flash or the console is small
 * and the ELF file of each build is kept: the target then has no .profraw, but
 * sends its counters, and the host program makes the profile of both. So a build
 * id is needed, real or stamped. The macros are the same; define it first, and
 * put one more before all other sections:
 *
 *	#define BAREPROF_LEAN
 *	#include "bareprof.lds.h"
 *
 *	SECTIONS
 *	{
 *		BAREPROF_NO_CONSTRUCTORS
 *
 * Clang 13 to 16 need that for bare-metal targets: constructors of theirs pass
 * every record's address to the runtime, which does not want it, and cannot reach
 * address 0 from far away. Compile with -ffunction-sections. (They have priority
 * 0, which is reserved; should a C library that you compile have constructors of
 * it, as newlib does, give those 101, or they are dropped as well.) For value
 * profiling, code needs the records when it runs, so a lean image of such objects
 * does not link.
 *
 * None: a build that must not be instrumented has BAREPROF_NONE in place of all
 * macros, and does not link if any object of it is. Leave out bareprof.c too.
 *
 * Value profiling by clang 13 to 17, in a part that runs from ROM: records have to be
 * in RAM, as they are told where the lists of their sites are. In place of
 * BAREPROF_RECORDS(> ROM):
 *
 *		BAREPROF_NAMES(> ROM)
 *		BAREPROF_RECORDS_COPIED(> RAM AT> ROM)
 *
 * Start-up code copies them, as it does .data: from __bareprof_records_image to where
 * __start___llvm_prf_data and __stop___llvm_prf_data are.
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

/* A section that only tools read. INFO: not loaded, whatever the objects say. */
#define BAREPROF_APART(name) name 0 (INFO) : { KEEP(*(name)) }
/* The bounds of nothing: near the code, since such a section has no address. */
#define BAREPROF_EMPTY(name) __start_##name = .; __stop_##name = .;

/* Records, names, and the same for vtables. */
#define BAREPROF_RECORDS_EMPTY(where)                       \
	.bareprof_lean : BAREPROF_AT(.bareprof_lean) ALIGN(8) \
	{                                                   \
		BAREPROF_EMPTY(__llvm_prf_data)             \
		BAREPROF_EMPTY(__llvm_prf_vtab)             \
		BAREPROF_EMPTY(__llvm_prf_names)            \
		BAREPROF_EMPTY(__llvm_prf_vns)              \
	} where
#ifdef BAREPROF_LEAN
#define BAREPROF_RECORDS(where) BAREPROF_RECORDS_EMPTY(where)
#define BAREPROF_RECORDS_APART           \
	BAREPROF_APART(__llvm_prf_data)  \
	BAREPROF_APART(__llvm_prf_vtab)  \
	BAREPROF_APART(__llvm_prf_names) \
	BAREPROF_APART(__llvm_prf_vns)   \
	ASSERT(SIZEOF(__llvm_prf_vals) + SIZEOF(__llvm_prf_vnds) == 0, \
		"bareprof: value profiling needs records in memory, and a lean image has none: compile with -mllvm -disable-vp=true, or link without BAREPROF_LEAN (bareprof.ld)")
#else
#define BAREPROF_NAMES(where)                       \
	BAREPROF_SECTION(__llvm_prf_vtab, , where)  \
	BAREPROF_SECTION(__llvm_prf_names, , where) \
	BAREPROF_SECTION(__llvm_prf_vns, , where)
#define BAREPROF_RECORDS(where)                    \
	BAREPROF_SECTION(__llvm_prf_data, , where) \
	BAREPROF_NAMES(where)
#define BAREPROF_RECORDS_COPIED(where)             \
	BAREPROF_SECTION(__llvm_prf_data, , where) \
	__bareprof_records_image = LOADADDR(__llvm_prf_data);
#define BAREPROF_RECORDS_APART
#endif

/* The constructors of clang 13 to 16, and how they are unwound. */
#define BAREPROF_NO_CONSTRUCTORS                              \
	/DISCARD/ :                                           \
	{                                                     \
		*(.init_array.0)                              \
		*(.text.__llvm_profile_init)                  \
		*(.ARM.exidx.text.__llvm_profile_init)        \
	}

/*
 * -sampled-instrumentation keeps a thread-local variable; without a thread pointer that
 * is some word of memory. With -femulated-tls it is reached by a call instead. (Within a
 * section: between sections, GNU ld would have what follows begin anew at 0.)
 */
#define BAREPROF_NO_THREADS                                \
	ASSERT(!DEFINED(__llvm_profile_sampling) || DEFINED(bareprof_thread_pointer), \
		"bareprof: -sampled-instrumentation uses the thread pointer: compile with -femulated-tls and write __emutls_get_address(), or set up thread pointers and define the symbol bareprof_thread_pointer (PORTING.md)")

/*
 * The build id that the linker makes (--build-id). The symbols bound the id
 * itself: the note around it is always 16 bytes of header. Without a note both
 * are the same address. If there is only a note of stamp.c, which `bareprof
 * stamp` fills in, they bound what it reserves.
 */
#define BAREPROF_NOTE(where)                                                                     \
	.note.gnu.build-id : BAREPROF_AT(.note.gnu.build-id) ALIGN(4)                            \
	{                                                                                        \
		__bareprof_note = .;                                                             \
		KEEP(*(.note.gnu.build-id))                                                      \
		__bareprof_stamp = .;                                                            \
		KEEP(*(.note.bareprof))                                                          \
		__stop_bareprof_build_id = __bareprof_stamp > __bareprof_note ? __bareprof_stamp : .; \
		__start_bareprof_build_id = __stop_bareprof_build_id - __bareprof_note > 16      \
			? __bareprof_note + 16 : __stop_bareprof_build_id;                       \
		BAREPROF_NO_THREADS;                                                             \
	} where

/* The word that tells filled counters from what was in RAM before. */
#define BAREPROF_VALID(where)                                           \
	.bareprof_valid (NOLOAD) : BAREPROF_AT(.bareprof_valid) ALIGN(8) \
	{                                                               \
		__bareprof_valid = .;                                   \
		. += 8;                                                 \
	} where

/*
 * What maps counters to source lines, and the records of -mllvm
 * -profile-correlate=binary: read from the ELF file, never loaded. In a lean
 * image that is all there is. After the last section with an address, as GNU ld
 * forgets the difference between load and run address here.
 */
#define BAREPROF_COVERAGE                                  \
	__llvm_covmap 0 : { KEEP(*(__llvm_covmap)) }       \
	__llvm_covfun 0 : { KEEP(*(__llvm_covfun)) }       \
	__llvm_covdata 0 : { KEEP(*(__llvm_covdata)) }     \
	__llvm_covnames 0 : { KEEP(*(__llvm_covnames)) }   \
	BAREPROF_RECORDS_APART

/* Nothing of an instrumented object. */
#define BAREPROF_NONE                                                    \
	.bareprof_none : { KEEP(*(__llvm_prf_* __llvm_cov*)) }           \
	ASSERT(SIZEOF(.bareprof_none) == 0,                              \
		"bareprof: an object of this build is instrumented, and none may be: compile without -fprofile-instr-generate, -fprofile-generate, -fcs-profile-generate and -fcoverage-mapping (nm -A *.o | grep __prof says which)")

#endif
