/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module.h - what a module of these tests has under one name, MODULE.
 */
#ifndef TESTS_SEVERAL_MODULE_H
#define TESTS_SEVERAL_MODULE_H

#include <bareprof/layout.h>

#include <stdint.h>

struct module {
	int (*work)(int n);
	const uint64_t *version; /* NULL: declared by no object */
	const char *bounds[BAREPROF_SECTIONS][2]; /* as the linker has them; the build id is the loader's to find */
};

#endif
