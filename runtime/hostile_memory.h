/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile_memory.h - internal: functions that the cases of the hostile guest share.
 */
#ifndef BAREPROF_HOSTILE_MEMORY_H
#define BAREPROF_HOSTILE_MEMORY_H

#include <bareprof/hostile_guest.h>

BAREPROF_API void bareprof_hostile_print(struct bareprof_hostile *test, const char *text);
/* Prints @before, and @n in hexadecimal. */
BAREPROF_API void bareprof_hostile_hex(struct bareprof_hostile *test, const char *before, uint64_t n);
/* Prints the line of a case. Its text has two parts: @what and @where, which may be "". */
BAREPROF_API void bareprof_hostile_case(struct bareprof_hostile *test, int holds, const char *what, const char *where);
/* Prints the line of a case that passes if @is equals @should. If they differ, also prints @is and @should. */
BAREPROF_API void bareprof_hostile_is(
	struct bareprof_hostile *test, intptr_t is, intptr_t should, const char *what, const char *where);

/* Each of these two functions makes a hypercall, returns its first result, and stores all results in test->result. */
BAREPROF_API intptr_t bareprof_hostile_fetch(struct bareprof_hostile *test, uint32_t function, uintptr_t position,
	uint64_t address, uintptr_t length, uintptr_t serial);
BAREPROF_API intptr_t bareprof_hostile_call(struct bareprof_hostile *test, uint32_t function, uintptr_t argument);

/*
 * These functions return the address at which the arena begins, the address at which the memory (and the arena) ends,
 * and the pointer to the memory at @address.
 */
BAREPROF_API uint64_t bareprof_hostile_arena(const struct bareprof_hostile *test);
BAREPROF_API uint64_t bareprof_hostile_end(const struct bareprof_hostile *test);
BAREPROF_API uint8_t *bareprof_hostile_pointer(const struct bareprof_hostile *test, uint64_t address);

/* Returns non-zero if at least one of the @n bytes at @address is forbidden. */
BAREPROF_API int bareprof_hostile_forbids(const struct bareprof_hostile *test, uint64_t address, uint64_t n);
/* Fills the arena, except for forbidden ranges, with this byte. */
#define BAREPROF_HOSTILE_CANARY 0x5a
BAREPROF_API void bareprof_hostile_canaries(struct bareprof_hostile *test);
/* Returns non-zero if all bytes of the arena are still BAREPROF_HOSTILE_CANARY, except for @n bytes at @address. */
BAREPROF_API int bareprof_hostile_untouched(const struct bareprof_hostile *test, uint64_t address, uint64_t n);
/* Returns non-zero if the @n bytes at @address are equal to the bytes at @to. */
BAREPROF_API int bareprof_hostile_equal(
	const struct bareprof_hostile *test, uint64_t address, const uint8_t *to, uintptr_t n);

/*
 * Pulls the profile in both forms, places the arena after it, and fills the arena with canaries. Returns 0 if a call
 * fails or the memory is too small.
 */
BAREPROF_API int bareprof_hostile_pull(struct bareprof_hostile *test);

#endif
