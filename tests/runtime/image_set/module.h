/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module.h - the struct that each module of these tests exports under the name MODULE.
 */
#ifndef TESTS_SEVERAL_MODULE_H
#define TESTS_SEVERAL_MODULE_H

#include <bareprof/layout.h>

#include <stdint.h>

struct module {
	int (*work)(int n);
	const uint64_t *version; /* NULL: no object declares a version */
	const char *bounds[BAREPROF_SECTIONS][2]; /* of the sections, from the linker; the loader finds the build id */
};

#endif
