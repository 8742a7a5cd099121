/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * junit.h - writes results in the JUnit XML format, which CI systems read.
 */
#ifndef BAREPROF_HOST_JUNIT_H
#define BAREPROF_HOST_JUNIT_H

#include "error.h"
#include "results.h"

/* junit_write - writes @results to the file at @path, completely or not at all. Errors: SYSTEM. */
enum status junit_write(const char *path, const struct results *results, struct error *error);

#endif
