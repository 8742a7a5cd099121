/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle_library.c - calls the demanglers of libiberty, and limits the work that a hostile name can cause. */
#include "demangle_library.h"
#include "bytes.h"

#include <setjmp.h>

/* Options of the demanglers: parameters, const and volatile; no limit for the depth of a name. */
#define PARAMETERS         0x1
#define QUALIFIERS         0x2
#define NO_RECURSION_LIMIT 0x40000

/*
 * The demanglers refuse names of more than about 1,000 bytes, unless they may recurse without a limit. Then their stack
 * is at most about 500 times as long as the name. C++ has names of several thousand bytes.
 */
#define LONG_NAME     1000
#define NAME_MAX_SIZE 4096

/* A name can refer to its own parts, so a short name can stand for gigabytes. */
#define RESULT_MAX_SIZE 16384

typedef void (*take_piece)(const char *piece, size_t size, void *context);

int cplus_demangle_v3_callback(const char *name, int options, take_piece take, void *context);
int rust_demangle_callback(const char *name, int options, take_piece take, void *context);

/* Without libiberty, these functions do not exist. */
#pragma weak cplus_demangle_v3_callback
#pragma weak rust_demangle_callback

struct result {
	char text[RESULT_MAX_SIZE];
	size_t size;
	jmp_buf too_long;
};

/* The demanglers cannot be stopped by a return value. They hold no memory of the heap while they call this function. */
static void take(const char *piece, size_t size, void *context)
{
	struct result *result = context;

	if (size >= sizeof(result->text) - result->size)
		longjmp(result->too_long, 1);
	memcpy(result->text + result->size, piece, size);
	result->size += size;
}

bool demangle_is_linked(void)
{
	return cplus_demangle_v3_callback && rust_demangle_callback;
}

/* Calls one of the demanglers. Returns whether @result has the demangled name. */
static bool run(
	int (*demangler)(const char *, int, take_piece, void *), const char *name, int options, struct result *result)
{
	result->size = 0;
	if (setjmp(result->too_long))
		return false;
	return demangler(name, options, take, result) && result->size;
}

const char *demangle_linked(const char *name, struct arena *arena)
{
	static struct result result;
	size_t size = strlen(name);
	int options = PARAMETERS | QUALIFIERS | (size > LONG_NAME ? NO_RECURSION_LIMIT : 0);
	char *copy;

	if (!demangle_is_linked() || size > NAME_MAX_SIZE)
		return NULL;
	/* Older names of Rust are names of C++ too, with a hash at their end, so the demangler of Rust comes first. */
	if (!run(rust_demangle_callback, name, options, &result) &&
		!run(cplus_demangle_v3_callback, name, options, &result))
		return NULL;
	copy = arena_take(arena, result.size + 1);
	memcpy(copy, result.text, result.size);
	copy[result.size] = 0;
	return copy;
}
