/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory.h - the memory of a target, read from outside while no code of bareprof runs there: through a debugger's stub,
 * through QEMU's monitor, or from a file that has a copy of the memory.
 */
#ifndef BAREPROF_HOST_MEMORY_H
#define BAREPROF_HOST_MEMORY_H

#include "bytes.h"
#include "error.h"
#include "page_walk.h"

/* How an address is meant. */
enum memory_space {
	MEMORY_VIRTUAL, /* as the code of the target uses it */
	MEMORY_PHYSICAL,
};

/* What to do with a target at the end. Sources that are files ignore it. */
enum memory_leave {
	LEAVE_AS_FOUND,
	LEAVE_RUNNING,
	LEAVE_STOPPED,
};

struct memory;

/* A part of the memory of a source, and how far a walk over all parts has come. Starts as all zeros. */
struct memory_part {
	uint64_t address;
	uint64_t size;
	/* the following members belong to the source */
	size_t index;
	uint64_t done;
	uint64_t total;
};

/* A kind of memory. Errors of the functions: USAGE, SYSTEM, INVALID_INPUT. */
struct memory_source {
	const char *name; /* the word before the colon in --from */
	const char *form; /* the argument of --from, for help texts */
	/* Connects. The target may run on. */
	enum status (*open)(struct memory *memory, const char *where, struct error *error);
	/* Stops the target, if it runs. NULL: open() has stopped it, or it never runs. */
	enum status (*stop)(struct memory *memory, struct error *error);
	/* Reads @size bytes, all or none. */
	enum status (*read)(struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size,
		struct error *error);
	/* Writes @size bytes; NULL: this memory cannot be written. After an error, a part may be written. */
	enum status (*write)(struct memory *memory, enum memory_space space, uint64_t address, const void *from,
		size_t size, struct error *error);
	/*
	 * Sets part->address and part->size to the next memory that has content, in any order. Returns false if there is
	 * no more. Adjacent memory is one part. NULL: the source cannot tell.
	 */
	bool (*next)(struct memory *memory, enum memory_space space, struct memory_part *part);
	/* The bytes that a search reads at once, a multiple of 4096. 0: it reads only what it compares. */
	size_t window;
	/* Appends all ELF notes with the owner @owner to @out, without their headers. NULL: there are no notes. */
	void (*notes)(struct memory *memory, const char *owner, struct buffer *out);
	/* Ends the connection, also after a failed open(). Errors are about leaving the target as wanted. */
	enum status (*close)(struct memory *memory, struct error *error);
};

struct memory {
	const struct memory_source *source;
	char *name; /* the argument of --from, for messages */
	void *state; /* belongs to @source */
	enum memory_leave leave; /* the caller may change it until memory_close() */
	struct page_tables tables; /* if they are known, they translate all virtual addresses */
	struct page_cache *cache; /* belongs to memory.c */
};

/*
 * memory_read - reads @size bytes at @address. Errors: SYSTEM (the connection), INVALID_INPUT (the memory is not there).
 */
enum status memory_read(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error);

/*
 * memory_may_run - returns whether the target may run until memory_stop().
 * memory_stop - stops the target, if it runs, so that all its memory is from one moment. Errors: SYSTEM, INVALID_INPUT.
 */
bool memory_may_run(const struct memory *memory);
enum status memory_stop(struct memory *memory, struct error *error);

/*
 * memory_write - writes @size bytes at @address. memory_can_write - returns whether there is a way to do so. Errors: USAGE
 * (there is none), SYSTEM, INVALID_INPUT (the memory is not there).
 */
enum status memory_write(struct memory *memory, enum memory_space space, uint64_t address, const void *from,
	size_t size, struct error *error);
bool memory_can_write(const struct memory *memory);

/*
 * memory_translate - lets all virtual addresses be translated with @tables, in place of what the source can do itself.
 * memory_page - translates a virtual address with memory->tables, which must be known. Errors as page_walk().
 */
void memory_translate(struct memory *memory, const struct page_tables *tables);
enum status memory_page(struct memory *memory, uint64_t address, struct page *page, struct error *error);

/*
 * memory_next - walks over all memory that a source has, see memory_source->next.
 * memory_notes - appends the contents of the notes with the owner @owner, such as "VMCOREINFO", to @out.
 */
bool memory_next(struct memory *memory, enum memory_space space, struct memory_part *part);
void memory_notes(struct memory *memory, const char *owner, struct buffer *out);

/*
 * memory_runs_on - returns whether the target must run after memory_close(). @running tells whether it was running before
 * memory_open(). For the close() of a kind of memory.
 */
bool memory_runs_on(const struct memory *memory, bool running);

/* memory_close - leaves the target as memory->leave says, and frees all memory. */
enum status memory_close(struct memory *memory, struct error *error);

#endif
