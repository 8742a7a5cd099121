/* SPDX-License-Identifier: BSD-2-Clause */
/* kdump_library.c - finds the functions of libkdumpfile. */
#include "kdump_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* The version whose types kdump_library.h declares. */
#define LIBRARY "libkdumpfile.so.10"

/* Sets the pointer to a function at @function. C has no conversion of an object pointer to a function pointer. */
static bool find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	memcpy(function, &found, sizeof(found));
	return found;
}

enum status kdump_library_load(struct kdump_library *library, struct error *error)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(error, STATUS_SYSTEM,
			"needs " LIBRARY ", which cannot be loaded (%s): install libkdumpfile (Debian: libkdumpfile10)",
			dlerror());
	if (find(handle, "kdump_new", &library->new) && find(handle, "kdump_free", &library->free) &&
		find(handle, "kdump_open_fdset", &library->open_fdset) && find(handle, "kdump_read", &library->read) &&
		find(handle, "kdump_set_attr", &library->set_attr) &&
		find(handle, "kdump_get_typed_attr", &library->get_typed_attr) &&
		find(handle, "kdump_bmp_get_bits", &library->bmp_get_bits) &&
		find(handle, "kdump_get_err", &library->get_err))
		return STATUS_OK;
	return error_set(error, STATUS_SYSTEM,
		"needs libkdumpfile 0.5, and " LIBRARY " lacks a function (%s): install libkdumpfile 0.5 (Debian: "
		"libkdumpfile10)",
		dlerror());
}
