/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump_library.h - loads libkdumpfile, which reads kernel dumps, when it is needed. The start of bareprof would take
 * 1.4 ms longer if it were linked (it brings libstdc++, zstd, lzo and snappy), and most uses of bareprof read no kernel
 * dump. Besides, bareprof can be built and can run where libkdumpfile is missing. So the types and numbers that bareprof
 * uses are declared here. They are those of libkdumpfile.so.10; tests/outside/kdump.sh compares them with its header.
 */
#ifndef BAREPROF_HOST_KDUMP_LIBRARY_H
#define BAREPROF_HOST_KDUMP_LIBRARY_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

/* Results of libkdumpfile. The other ones need no names here. */
enum {
	KDUMP_LIBRARY_OK = 0,
	KDUMP_LIBRARY_SYSTEM = 1, /* the system failed: see errno */
	KDUMP_LIBRARY_NO_DATA = 3, /* the dump does not have this memory */
};

/* Address spaces. A machine address needs no translation. */
enum {
	KDUMP_LIBRARY_MACHINE = 1,
	KDUMP_LIBRARY_VIRTUAL = 2,
};

/* Types of attributes. */
enum {
	KDUMP_LIBRARY_NUMBER = 2,
	KDUMP_LIBRARY_BITMAP = 5,
};

struct kdump_library_attribute {
	unsigned int type;
	union {
		uint_fast64_t number;
		void *bitmap;
	} value;
};

/* A value of the attribute file.mmap_policy. */
#define KDUMP_LIBRARY_MAP_NEVER 0

/* The functions of the library, named as there without "kdump_". */
struct kdump_library {
	void *(*new)(void);
	void (*free)(void *dump);
	unsigned int (*open_fdset)(void *dump, unsigned int count, const int *fds);
	unsigned int (*read)(void *dump, int space, uint_fast64_t address, void *to, size_t *size);
	unsigned int (*set_attr)(void *dump, const char *key, const struct kdump_library_attribute *attribute);
	unsigned int (*get_typed_attr)(void *dump, const char *key, struct kdump_library_attribute *attribute);
	unsigned int (*bmp_get_bits)(void *bitmap, uint_fast64_t first, uint_fast64_t last, unsigned char *bits);
	const char *(*get_err)(void *dump);
};

/* kdump_library_load - loads the library, for the rest of the program. Errors: SYSTEM. */
enum status kdump_library_load(struct kdump_library *library, struct error *error);

#endif
