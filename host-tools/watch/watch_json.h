/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_json.h - looks as lines of JSON (docs/watch.schema.json). */
#ifndef BAREPROF_HOST_WATCH_JSON_H
#define BAREPROF_HOST_WATCH_JSON_H

#include "watched.h"

/*
 * watch_json_look - prints a line for a look. watch_json_failed - prints a line for a look that failed because of @reason.
 * @number counts the looks from 1 on.
 */
void watch_json_look(uint64_t number, const struct watched *watched, const struct look *look);
void watch_json_failed(uint64_t number, const char *reason);

#endif
