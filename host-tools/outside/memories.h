/* SPDX-License-Identifier: BSD-2-Clause */
/* memories.h - finds the kind of memory that the argument of --from names. */
#ifndef BAREPROF_HOST_MEMORIES_H
#define BAREPROF_HOST_MEMORIES_H

#include "memory.h"

/*
 * memory_named - returns whether @text, the argument of --from, names memory. memory_forms - appends the forms that such
 * an argument can have, as in "gdb:HOST:PORT, qmp:PATH".
 */
bool memory_named(const char *text);
void memory_forms(struct buffer *text);

/*
 * memory_open - opens the memory that @text names. A debugger's stub stops the target; other
 * targets may run until memory_stop(). The caller calls memory_close() also after an error. Errors: USAGE, SYSTEM, INVALID_INPUT.
 */
enum status memory_open(struct memory *memory, const char *text, struct error *error);

#endif
