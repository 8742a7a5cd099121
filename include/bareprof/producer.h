/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * producer.h - BAREPROF_PRODUCER: the raw version that the compiler of this
 * very file writes, 1 if it is not clang. It only decides between layouts that
 * read identically; what the records say always wins over it.
 */
#ifndef BAREPROF_PRODUCER_H
#define BAREPROF_PRODUCER_H

#include <bareprof/platform.h>

#if !defined(BAREPROF_RAW_VERSION) && defined(CONFIG_BAREPROF_RAW_VERSION)
#define BAREPROF_RAW_VERSION CONFIG_BAREPROF_RAW_VERSION
#endif

#if defined(BAREPROF_RAW_VERSION) && BAREPROF_RAW_VERSION
#define BAREPROF_PRODUCER BAREPROF_RAW_VERSION /* given by the build */
#elif !defined(__clang_major__)
#define BAREPROF_PRODUCER 1u
#else
#if __has_include(<profile/InstrProfData.inc>)
/* compiler-rt's header beside clang knows best: vendors number as they like. */
#include <profile/InstrProfData.inc>
#endif
#ifdef INSTR_PROF_RAW_VERSION
#define BAREPROF_PRODUCER INSTR_PROF_RAW_VERSION
#elif __clang_major__ >= 23
#define BAREPROF_PRODUCER 11u
#elif __clang_major__ >= 19
#define BAREPROF_PRODUCER 10u
#elif __clang_major__ >= 18
#define BAREPROF_PRODUCER 9u
#elif __clang_major__ >= 14
#define BAREPROF_PRODUCER 8u
#elif __clang_major__ >= 13
#define BAREPROF_PRODUCER 7u
#else
#define BAREPROF_PRODUCER 5u
#endif
#endif

#endif
