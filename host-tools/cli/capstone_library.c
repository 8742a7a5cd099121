/* SPDX-License-Identifier: BSD-2-Clause */
/* capstone_library.c - finds the functions of capstone. */
#include "capstone_library.h"
#include "exit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The library of the headers with which bareprof was compiled. */
#define TEXT(number) #number
#define NAME(major)  "libcapstone.so." TEXT(major)
#define LIBRARY      NAME(CS_API_MAJOR)

/* The statically linked program has these functions. */
#pragma weak cs_open
#pragma weak cs_close
#pragma weak cs_option
#pragma weak cs_malloc
#pragma weak cs_free
#pragma weak cs_disasm_iter
#pragma weak cs_regs_access

static struct capstone_library functions;

static void fail(void)
{
	complain(NULL, "needs " LIBRARY ", which cannot be loaded (%s): install capstone (Debian: libcapstone%d)",
		dlerror(), CS_API_MAJOR);
	exit(STATUS_SYSTEM);
}

/* Sets the pointer to a function at @function. C has no conversion of an object pointer to a function pointer. */
static void find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	if (!found)
		fail();
	memcpy(function, &found, sizeof(found));
}

static void load(void)
{
	void *library;

	if (cs_open) {
		functions = (struct capstone_library){
			cs_open, cs_close, cs_option, cs_malloc, cs_free, cs_disasm_iter, cs_regs_access};
		return;
	}
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		fail();
	find(library, "cs_open", &functions.open);
	find(library, "cs_close", &functions.close);
	find(library, "cs_option", &functions.option);
	find(library, "cs_malloc", &functions.malloc);
	find(library, "cs_free", &functions.free);
	find(library, "cs_disasm_iter", &functions.disasm_iter);
	find(library, "cs_regs_access", &functions.regs_access);
}

const struct capstone_library *capstone(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return &functions;
}
