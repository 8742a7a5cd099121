/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_atomic.h - internal: loads and stores of the pointers in value lists. One CPU
 * stores a pointer with release, and another CPU loads this pointer with acquire. Then the
 * second CPU sees everything that the first CPU wrote before the store.
 */
#ifndef BAREPROF_VALUES_ATOMIC_H
#define BAREPROF_VALUES_ATOMIC_H

#include "atomic.h"
#include "values_serialize.h"

#if BAREPROF_SERVES_VALUES
#ifdef BAREPROF_MASKED /* an Armv6-M: it has no atomic builtins, and only one CPU */
#define bareprof_load_acquire(at)         bareprof_load_relaxed(at)
#define bareprof_store_release(at, value) (*(__typeof__(*(at)) volatile *)(void *)(at) = (value))
#else
#define bareprof_load_acquire(at)         __atomic_load_n((at), __ATOMIC_ACQUIRE)
#define bareprof_store_release(at, value) __atomic_store_n((at), (value), __ATOMIC_RELEASE)
#endif
#endif

#endif
