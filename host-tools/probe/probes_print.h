/* SPDX-License-Identifier: BSD-2-Clause */
/* probes_print.h - the forms in which `bareprof probes show` prints probes. All functions print to standard output. */
#ifndef BAREPROF_HOST_PROBES_PRINT_H
#define BAREPROF_HOST_PROBES_PRINT_H

#include "probe_view.h"

#include <regex.h>

/* @regex: only functions whose name matches; NULL: all functions. Each function returns the number of functions. */
size_t probes_print_text(const struct probe_view *view, const regex_t *regex);
size_t probes_print_json(const struct probe_view *view, const struct image *image, const regex_t *regex);

/*
 * probes_print_code - prints the machine code of @image, with the lines of the probes before each instruction. The
 * lines have the form that llvm-profgen gives them. Returns the number of functions that are printed.
 */
size_t probes_print_code(const struct probe_view *view, const struct image *image, const regex_t *regex);

/* probes_matches - returns whether @regex is NULL or matches the printed name or the linkage name of @node. */
bool probes_matches(const struct probe_view *view, uint32_t node, const regex_t *regex);

#endif
