/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * producer.h - defines BAREPROF_PRODUCER: the raw version that the compiler of the runtime
 * writes, or 1 if that compiler is not clang. If several layouts fit the records and give
 * the same result, the runtime uses the layout of this version. A runtime that is compiled
 * for a single record layout also uses the layout of this version.
 */
#ifndef BAREPROF_PRODUCER_H
#define BAREPROF_PRODUCER_H

#include <bareprof/layout.h>
#include <bareprof/platform.h>

#if !defined(BAREPROF_RAW_VERSION) && defined(CONFIG_BAREPROF_RAW_VERSION)
#define BAREPROF_RAW_VERSION CONFIG_BAREPROF_RAW_VERSION
#endif

#if defined(BAREPROF_RAW_VERSION) && BAREPROF_RAW_VERSION
#define BAREPROF_PRODUCER BAREPROF_RAW_VERSION /* the user has chosen this version with an option of the build */
#elif !defined(__clang_major__)
#define BAREPROF_PRODUCER 1u
#else
#if __has_include(<profile/InstrProfData.inc>)
/*
 * The header of the installed compiler-rt is more reliable than clang's version number,
 * because some vendors number their releases of clang differently.
 */
#pragma push_macro("uint64_t")
#define uint64_t __UINT64_TYPE__ /* the only type of stdint.h that InstrProfData.inc uses */
#include <profile/InstrProfData.inc>
#pragma pop_macro("uint64_t")
#endif
#ifdef INSTR_PROF_RAW_VERSION
#define BAREPROF_PRODUCER INSTR_PROF_RAW_VERSION
#else
#define BAREPROF_WRITTEN_UP_TO(version, oldest, newest, words) __clang_major__ <= (newest) ? version##u:
#define BAREPROF_PRODUCER                                      (BAREPROF_RAW_RELEASES(BAREPROF_WRITTEN_UP_TO) BAREPROF_RAW_NEWEST)
#endif
#endif

#endif
