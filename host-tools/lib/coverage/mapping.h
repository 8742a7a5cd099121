/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapping.h - the coverage mapping of a program: which regions of the source each counter of a function counts. The
 * section __llvm_covmap has a list of file names for each object that was linked, and the section __llvm_covfun has a
 * record for each function. (Source: the page "LLVM Code Coverage Mapping Format" of LLVM.)
 */
#ifndef BAREPROF_HOST_MAPPING_H
#define BAREPROF_HOST_MAPPING_H

#include "file_names.h"
#include "names.h"
#include "region.h"

/* A list of file names. The records of functions refer to a list by a hash of its bytes. */
struct mapping_list {
	uint64_t hash;
	size_t first; /* index of the list's first file in mapping->list_files */
	size_t count;
	struct bytes bytes; /* the list as it is in the program, without its header */
	uint32_t version; /* the version word in the header of the list */
};

/* The record of a function. */
struct mapping_record {
	uint64_t name; /* name hash, see names.h */
	uint64_t hash; /* structural hash; 0: the object does not use the function */
	struct bytes regions; /* see region.h */
	size_t list; /* index of its list in mapping->lists */
};

/* A function that gets a new name, because other programs of a report have another function of its name. */
struct mapping_rename {
	uint64_t was; /* name hash of the function's old name */
	uint64_t now; /* name hash of the function's new name */
	char *name; /* the new name */
};

/* The mapping of a program. Starts as all zeros and ends with mapping_free(). */
struct mapping {
	bool big; /* the program is big-endian */
	struct buffer lists_section; /* contents of __llvm_covmap */
	struct buffer records_section; /* contents of __llvm_covfun */
	struct buffer names_section; /* contents of __llvm_prf_names */
	struct names names;
	struct mapping_list *lists; /* sorted by hash */
	size_t list_count;
	size_t list_room;
	uint32_t *list_files; /* the files of all lists, one list after the other: their indexes in the file names */
	size_t list_file_count;
	size_t list_file_room;
	/*
	 * The records that count, in the order of the section. A section can have several records of one function, if
	 * several objects define it. Some of these records are only marks: the object does not use the function. The
	 * first record that is no such mark counts.
	 */
	struct mapping_record *records;
	size_t record_count;
	size_t record_room;
	uint32_t *table; /* hash table of the records by name hash; a slot has the index of a record plus 1 */
	size_t table_size; /* number of slots, a power of two */
	/* The other records of these functions, sorted by name hash. */
	struct mapping_record *shadowed;
	size_t shadowed_count;
	size_t shadowed_room;
	struct mapping_rename *renames; /* sorted by the old name hash; filled by the caller of mapping_read() */
	size_t rename_count;
	size_t rename_room;
};

/*
 * mapping_read - reads the mapping from the ELF file at @path, and adds the names of its source files to @files. If the
 * program has no mapping, mapping->list_count is 0. Errors: SYSTEM, INVALID_INPUT (the file is not ELF, or its mapping is
 * damaged or has an unknown version; the text has the offset).
 */
enum status mapping_read(struct mapping *mapping, const char *path, struct file_names *files, struct error *error);
void mapping_free(struct mapping *mapping);

/*
 * mapping_find - returns the record in mapping->records of the function whose name hash is @name, or NULL.
 * mapping_find_shadowed - returns the first record of this function in mapping->shadowed, and sets *@count to the
 * number of these records.
 */
const struct mapping_record *mapping_find(const struct mapping *mapping, uint64_t name);
const struct mapping_record *mapping_find_shadowed(const struct mapping *mapping, uint64_t name, size_t *count);

/* mapping_renamed - returns the rename of the function whose name hash in the program is @name, or NULL. */
const struct mapping_rename *mapping_renamed(const struct mapping *mapping, uint64_t name);

/*
 * mapping_take - reads the record at offset *@at of __llvm_covfun, and moves *@at to the next record. Returns false at the
 * end of the section, or if the record is damaged. In contrast to mapping->records, this function returns all records.
 */
bool mapping_take(const struct mapping *mapping, size_t *at, struct mapping_record *record);

#endif
