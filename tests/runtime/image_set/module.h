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
	const uint64_t *version; /* NULL if no object declares a version */
	/* start and end of each section, from the linker; the loader adds the bounds of the build id */
	const char *bounds[BAREPROF_SECTIONS][2];
};

#endif
