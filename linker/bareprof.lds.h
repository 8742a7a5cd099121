/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.lds.h - places the sections of the profile in an image, for linker scripts that
 * go through the C preprocessor. `make linker` makes the plain scripts from the same
 * macros, so only this file describes the sections.
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
 * Each macro puts its last argument after the closing brace of each section. This argument
 * is for example `> FLASH` or `:data`, and may be empty. Records, names and the note are
 * constants and may be in ROM. Use all five macros, because bareprof needs the bounds of
 * every section, even of an empty section.
 *
 * Counters must be in RAM, but need not be loaded. With (NOLOAD), bareprof_start() fills
 * them and then sets the validity word, which BAREPROF_VALID
 * places in a section of its own:
 *
 *		BAREPROF_COUNTERS((NOLOAD), > RAM)
 *		BAREPROF_VALUES((NOLOAD), > RAM)
 *		BAREPROF_VALID(> RAM)
 *
 * (With (NOLOAD), lld 15 and 16 warn that the types of the sections do not match. Ignore
 * this warning, because the result is right. Other linkers do not warn.)
 *
 * In a lean image, only counters and bitmaps are loaded. Records, names and vtables stay in
 * the ELF file. This saves memory, flash, and time on a slow console, but you have to keep
 * the ELF file of each build. The target cannot write a .profraw. It sends its counters,
 * and the host program makes the profile from the counters and the ELF file. So the image
 * needs a build id, which comes from the linker or from `bareprof stamp`. Define
 * BAREPROF_LEAN first, use the same macros, and put BAREPROF_NO_CONSTRUCTORS before all
 * other sections:
 *
 *	#define BAREPROF_LEAN
 *	#include "bareprof.lds.h"
 *
 *	SECTIONS
 *	{
 *		BAREPROF_NO_CONSTRUCTORS
 *
 * BAREPROF_NO_CONSTRUCTORS removes constructors that clang 13 to 16 make for bare-metal
 * targets. These constructors pass the address of every record to the runtime, which does
 * not need the addresses. They do not link in a lean image, because the records of a lean
 * image are at address 0, which is too far away from the code. Compile with
 * -ffunction-sections. (These constructors have the reserved priority 0. If you compile a C
 * library that has constructors of this priority, such as newlib, give them the
 * priority 101. Otherwise the constructors of the library are removed too.) With value
 * profiling, code needs the records when it runs, so objects with value profiling do not
 * link in a lean image.
 *
 * A build that must not be instrumented uses BAREPROF_NONE in place of all other macros.
 * The link fails if any object of the build is instrumented. Leave out bareprof.c too.
 *
 * An image with value profiling that runs from ROM needs its records in RAM if clang 13 to
 * 17 compiled it. In this case bareprof_values_start() writes the address of the list heads
 * into the records. Use these macros in place of BAREPROF_RECORDS(> ROM):
 *
 *		BAREPROF_NAMES(> ROM)
 *		BAREPROF_RECORDS_COPIED(> RAM AT> ROM)
 *
 * Start-up code must copy the records, in the same way as .data, from
 * __bareprof_records_image to the range from __start___llvm_prf_data to
 * __stop___llvm_prf_data.
 *
 * Firmware that starts in flash and then copies itself to RAM cannot count in flash. Compile
 * it with -mllvm -runtime-counter-relocation, and put this macro into the copied range:
 *
 *		BAREPROF_BIAS(0x40100000, )
 *
 * Code then counts in the RAM at this address, until the firmware sets both biases of the
 * copy to 0. docs/PORTING-FIRMWARE.md shows such a firmware.
 *
 * If the script of a tree gives every section a load address, define BAREPROF_AT before you
 * include this header:
 *
 *	#define BAREPROF_AT(name) AT(ADDR(name) - LOAD_OFFSET)
 *
 * Place the macros before any /DISCARD/ or wildcard that also matches the sections, because
 * the linker uses the first rule that matches. All sections are under KEEP, so
 * --gc-sections drops nothing to which a record refers.
 */
/* clang-format off */
#ifndef BAREPROF_LDS_H
#define BAREPROF_LDS_H

#ifndef BAREPROF_AT
#define BAREPROF_AT(name)
#endif

/*
 * Makes an output section with the name of its input sections, so that tools find the
 * section in the ELF file. The start of the section is aligned to 8 bytes, which the
 * runtime requires. The section has no padding at its end.
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

/*
 * A section that only tools read. Because of INFO the section is not loaded, even if the
 * flags in the objects say otherwise.
 */
#define BAREPROF_APART(name) name 0 (INFO) : { KEEP(*(name)) }
/*
 * Defines the bounds of an empty range near the code. A lean image needs this macro because
 * a section that is not loaded has no address.
 */
#define BAREPROF_EMPTY(name) __start_##name = .; __stop_##name = .;

/*
 * BAREPROF_RECORDS places the records and names of functions and vtables. In a lean image,
 * this macro only defines the bounds of empty ranges.
 */
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

/* Removes the constructors that clang 13 to 16 make, and the unwind tables of these constructors. */
#define BAREPROF_NO_CONSTRUCTORS                              \
	/DISCARD/ :                                           \
	{                                                     \
		*(.init_array.0)                              \
		*(.text.__llvm_profile_init)                  \
		*(.ARM.exidx.text.__llvm_profile_init)        \
	}

/*
 * Makes the link fail if code compiled with -sampled-instrumentation would use its
 * thread-local variable. If there is no thread pointer, such code would change an arbitrary
 * word of memory. With -femulated-tls the code calls a function to get the address of the
 * variable, and the link succeeds. (Use this macro within a section. If it were between two
 * sections, GNU ld would restart the addresses of the following sections at 0.)
 */
#define BAREPROF_NO_THREADS                                \
	ASSERT(!DEFINED(__llvm_profile_sampling) || DEFINED(bareprof_thread_pointer), \
		"bareprof: -sampled-instrumentation uses the thread pointer: compile with -femulated-tls and write __emutls_get_address(), or set up thread pointers and define the symbol bareprof_thread_pointer (PORTING-KINDS.md)")

/*
 * The build id that the linker makes (--build-id). The two symbols are the bounds of the
 * id, which follows the note's header of 16 bytes. If there is no note, both symbols have
 * the same address. If there is only the note of stamp.c, the symbols are the bounds of the
 * bytes that the note reserves for the id. `bareprof stamp` fills in these bytes.
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

/*
 * The validity word. It shows whether bareprof_start() has filled the counters, or whether
 * they still contain random contents of RAM. The validity words of keep.h follow it.
 */
#define BAREPROF_VALID(where)                                           \
	.bareprof_valid (NOLOAD) : BAREPROF_AT(.bareprof_valid) ALIGN(8) \
	{                                                               \
		__bareprof_valid = .;                                   \
		. += 8;                                                 \
		*(.bareprof_keep)                                       \
	} where

/*
 * The distances from the counters and bitmaps in their sections to those at @address, where
 * code counts until the distances are set to 0. The bitmaps follow the counters there, at
 * the same distance as in the image. The linker prefers these symbols to the constants of
 * symbols.c, whose value is 0.
 */
#define BAREPROF_BIAS(address, where)                                    \
	.bareprof_bias : BAREPROF_AT(.bareprof_bias) ALIGN(8)            \
	{                                                                \
		__llvm_profile_counter_bias = .;                         \
		QUAD((address) - __start___llvm_prf_cnts)                \
		__llvm_profile_bitmap_bias = .;                          \
		QUAD((address) - __start___llvm_prf_cnts)                \
	} where

/*
 * The mapping from counters to source lines, the records of -mllvm
 * -profile-correlate=binary, and in a lean image all records. Only tools read these
 * sections, from the ELF file. They are never loaded. Place this macro after the last
 * section with an address, because after these sections GNU ld forgets the difference
 * between load and run addresses.
 */
#define BAREPROF_COVERAGE                                  \
	__llvm_covmap 0 : { KEEP(*(__llvm_covmap)) }       \
	__llvm_covfun 0 : { KEEP(*(__llvm_covfun)) }       \
	__llvm_covdata 0 : { KEEP(*(__llvm_covdata)) }     \
	__llvm_covnames 0 : { KEEP(*(__llvm_covnames)) }   \
	BAREPROF_RECORDS_APART

/* Makes the link fail if any object is instrumented. (The map of a machine profile is never loaded.) */
#define BAREPROF_NONE                                                    \
	.bareprof_none : { KEEP(*(__llvm_prf_* __llvm_cov* __llvm_mipraw_*)) } \
	.bareprof_none_map 0 (INFO) : { *(__llvm_mipmap) }               \
	ASSERT(SIZEOF(.bareprof_none) == 0,                              \
		"bareprof: an object of this build is instrumented, and none may be: compile without -fprofile-instr-generate, -fprofile-generate, -fcs-profile-generate and -fcoverage-mapping, and without bareprof mip cc (nm -A *.o | grep __prof says which, and size -A shows __llvm_mipraw)")

#endif
