/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.lds.h - places the sections of the profile in an image, for linker scripts
 * that go through the C preprocessor. `make linker` makes the plain scripts from the
 * same macros, so the sections are described only here.
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
 * The last argument of a macro is put after the closing brace of each section, such
 * as `> FLASH` or `:data`; it may be empty. Records, names and the note are constants
 * and may be in ROM. Use all five macros: bareprof needs the bounds of every section,
 * even of empty ones.
 *
 * Counters need RAM, but nothing has to load them. With (NOLOAD), bareprof_start() fills
 * them and then sets a validity word outside of them:
 *
 *		BAREPROF_COUNTERS((NOLOAD), > RAM)
 *		BAREPROF_VALUES((NOLOAD), > RAM)
 *		BAREPROF_VALID(> RAM)
 *
 * (For this, lld 15 and 16 warn that the types of the sections do not match. The result
 * is right. Other linkers do not warn.)
 *
 * A lean image loads only the counters and bitmaps; records, names and vtables stay in the
 * ELF file. This saves memory, flash, and time on a slow console, if you keep the ELF file
 * of each build. The target then has no .profraw: it sends its counters, and the host
 * program makes the profile from these and the ELF file. So the image needs a build id,
 * made by the linker or stamped. Define BAREPROF_LEAN first, use the same macros, and put
 * BAREPROF_NO_CONSTRUCTORS before all other sections:
 *
 *	#define BAREPROF_LEAN
 *	#include "bareprof.lds.h"
 *
 *	SECTIONS
 *	{
 *		BAREPROF_NO_CONSTRUCTORS
 *
 * The last macro removes constructors that clang 13 to 16 make for bare-metal targets.
 * They pass the address of every record to the runtime, which does not need it, and they
 * do not link in a lean image, where records are at address 0 and too far away. Compile
 * with -ffunction-sections. (These constructors have the reserved priority 0. If you
 * compile a C library that has constructors of this priority, as newlib has, give those
 * 101, or they are removed as well.) With value profiling, code needs the records when it
 * runs, so a lean image of such objects does not link.
 *
 * A build that must not be instrumented uses BAREPROF_NONE in place of all other macros.
 * It does not link if any of its objects is instrumented. Leave out bareprof.c too.
 *
 * For value profiling with clang 13 to 17 in a part that runs from ROM, the records have
 * to be in RAM, because bareprof_values_start() writes the address of the list heads into
 * them. Then use, in place of BAREPROF_RECORDS(> ROM):
 *
 *		BAREPROF_NAMES(> ROM)
 *		BAREPROF_RECORDS_COPIED(> RAM AT> ROM)
 *
 * Start-up code copies the records as it copies .data: from __bareprof_records_image to
 * the range from __start___llvm_prf_data to __stop___llvm_prf_data.
 *
 * A tree whose script gives every section a load address defines BAREPROF_AT first:
 *
 *	#define BAREPROF_AT(name) AT(ADDR(name) - LOAD_OFFSET)
 *
 * Place the macros before a /DISCARD/ or a wildcard that matches the sections too,
 * because the first rule that matches is used. All sections are under KEEP, so
 * --gc-sections drops nothing that a record refers to.
 */
/* clang-format off */
#ifndef BAREPROF_LDS_H
#define BAREPROF_LDS_H

#ifndef BAREPROF_AT
#define BAREPROF_AT(name)
#endif

/*
 * An output section with the name of its input sections, so that tools find it in the ELF
 * file. Its start is aligned for the runtime, its end is the end of its contents.
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

/* The memory that value profiling writes to: list heads and nodes. */
#define BAREPROF_VALUES(type, where)                   \
	BAREPROF_SECTION(__llvm_prf_vals, type, where) \
	BAREPROF_SECTION(__llvm_prf_vnds, type, where)

/* A section that only tools read. INFO keeps it from being loaded, whatever flags the objects have. */
#define BAREPROF_APART(name) name 0 (INFO) : { KEEP(*(name)) }
/* The bounds of an empty range near the code, because a section that is not loaded has no address. */
#define BAREPROF_EMPTY(name) __start_##name = .; __stop_##name = .;

/* BAREPROF_RECORDS: the records and names of functions and vtables. A lean image has only empty bounds for them. */
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

/* Removes the constructors of clang 13 to 16 and their unwind tables. */
#define BAREPROF_NO_CONSTRUCTORS                              \
	/DISCARD/ :                                           \
	{                                                     \
		*(.init_array.0)                              \
		*(.text.__llvm_profile_init)                  \
		*(.ARM.exidx.text.__llvm_profile_init)        \
	}

/*
 * Code compiled with -sampled-instrumentation has a thread-local variable. Without a thread
 * pointer it would use an arbitrary word of memory; with -femulated-tls it calls a function
 * for the address instead. (Use this macro within a section. Between sections, GNU ld would
 * restart the addresses of the following sections at 0.)
 */
#define BAREPROF_NO_THREADS                                \
	ASSERT(!DEFINED(__llvm_profile_sampling) || DEFINED(bareprof_thread_pointer), \
		"bareprof: -sampled-instrumentation uses the thread pointer: compile with -femulated-tls and write __emutls_get_address(), or set up thread pointers and define the symbol bareprof_thread_pointer (PORTING.md)")

/*
 * The build id that the linker makes (--build-id). The two symbols bound the id itself,
 * which follows the note's header of 16 bytes. Without a note both are the same address.
 * If there is only the note of stamp.c, which `bareprof stamp` fills in, they bound the
 * bytes that it reserves for the id.
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

/* The validity word: tells whether the counters were filled, or contain what was in RAM before. */
#define BAREPROF_VALID(where)                                           \
	.bareprof_valid (NOLOAD) : BAREPROF_AT(.bareprof_valid) ALIGN(8) \
	{                                                               \
		__bareprof_valid = .;                                   \
		. += 8;                                                 \
	} where

/*
 * The mapping from counters to source lines, the records of -mllvm
 * -profile-correlate=binary, and in a lean image all records. Tools read these from the ELF
 * file; they are never loaded. Place them after the last section with an address, because
 * after them GNU ld forgets the difference between load and run addresses.
 */
#define BAREPROF_COVERAGE                                  \
	__llvm_covmap 0 : { KEEP(*(__llvm_covmap)) }       \
	__llvm_covfun 0 : { KEEP(*(__llvm_covfun)) }       \
	__llvm_covdata 0 : { KEEP(*(__llvm_covdata)) }     \
	__llvm_covnames 0 : { KEEP(*(__llvm_covnames)) }   \
	BAREPROF_RECORDS_APART

/* Makes the link fail if any object is instrumented. */
#define BAREPROF_NONE                                                    \
	.bareprof_none : { KEEP(*(__llvm_prf_* __llvm_cov*)) }           \
	ASSERT(SIZEOF(.bareprof_none) == 0,                              \
		"bareprof: an object of this build is instrumented, and none may be: compile without -fprofile-instr-generate, -fprofile-generate, -fcs-profile-generate and -fcoverage-mapping (nm -A *.o | grep __prof says which)")

#endif
