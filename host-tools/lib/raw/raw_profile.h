/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw.h - read raw profiles (.profraw) of versions 5 to 11, of either pointer
 * width and byte order. The layouts are those of bareprof/layout.h.
 */
#ifndef BAREPROF_HOST_RAW_H
#define BAREPROF_HOST_RAW_H

#include "bytes.h"
#include "model.h"

#include <bareprof/layout.h>

#define RAW_VALUE_KINDS PROFILE_KINDS

/*
 * One profile of a file, which can hold several. All views point into the file, but
 * that of records where there are doubles.
 */
struct raw_profile {
	uint64_t version_word;
	unsigned int version;
	unsigned int width; /* of a pointer */
	bool big; /* byte order */
	unsigned int counter_size; /* 8, or 1 */
	uint64_t header[BAREPROF_HEADER_MAX];
	struct bytes section[BAREPROF_SECTIONS];
	struct bytes build_id; /* the first, without its length; empty: none */
	uint64_t records;
	size_t record_size;
	bool has_sites; /* some record has value sites */
	struct bytes values; /* value data */
	struct raw_doubles *doubles; /* NULL: no function is defined weak more than once (raw_doubles.h) */
	size_t offset; /* in the file */
	size_t end; /* offset of what follows, zeros skipped */
};

/* One record with what belongs to it. */
struct raw_function {
	uint64_t name;
	uint64_t hash;
	uint64_t address; /* of the function; 0: not told */
	struct bytes counters; /* without the timestamp */
	size_t counter_count;
	uint64_t timestamp; /* of temporal profiles; 0: never called */
	struct bytes bitmap;
	unsigned int value_sites[RAW_VALUE_KINDS];
};

/* raw_magic - does @file start as a raw profile does? */
bool raw_magic(struct bytes file);

/* So many bytes tell what it is and how long its header. */
#define RAW_START 16u

/*
 * raw_header - read the header at the start of @bytes, of *@size bytes, into
 * *@profile, which else is all zeros. raw_identify - of it only what RAW_START bytes tell.
 * Errors: BAD.
 */
enum status raw_header(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);
enum status raw_identify(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error);

/* What follows a header, in its order: @count elements of @size bytes and @pad bytes. */
#define RAW_PARTS 8u
struct raw_part {
	const char *what;
	unsigned int section; /* BAREPROF_SECTIONS: none */
	uint64_t count;
	size_t size;
	uint64_t pad;
};

/* raw_parts - what follows the header of @profile, by its account; value data follows that. */
void raw_parts(const struct raw_profile *profile, struct raw_part *part);

/*
 * raw_open - read the header at @offset of @file, find and check all sections,
 * and check all records: counters in bounds, none in two records. Free it with
 * raw_close(), for which after an error there is no need. Errors: BAD.
 */
enum status raw_open(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
void raw_close(struct raw_profile *profile);

/*
 * raw_open() in steps. raw_sections() finds all sections and takes what comes after
 * them for value data. raw_records() checks the records; those may leave it out who
 * know them to be sound, as they have seen them before. @each, if there is one,
 * gets every record on the way, when it is known to be sound by itself; what it
 * returns ends the walk if it is not OK; of a double it gets what the file says.
 * raw_finish() finds the real end of the value data and that of the profile. Free it
 * with raw_close(), also after an error. Errors: BAD.
 */
typedef enum status raw_each(void *context, uint64_t index, const struct raw_function *function, struct error *error);

enum status raw_sections(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error);
enum status raw_records(struct raw_profile *profile, raw_each *each, void *context, struct error *error);
enum status raw_finish(struct raw_profile *profile, struct bytes file, struct error *error);

/*
 * raw_function - the record @index (less than profile->records) of a profile.
 * After raw_open() it does not fail. Errors: BAD.
 */
enum status raw_function(
	const struct raw_profile *profile, uint64_t index, struct raw_function *function, struct error *error);

/* raw_no_name - complain that the names section does not have the name of record @index. Returns BAD. */
enum status raw_no_name(const struct raw_function *function, uint64_t index, struct error *error);

/* raw_counter - counter @i of @function; byte counters are 1 for "ran", else 0. Here for those who add up all. */
static inline uint64_t raw_counter(const struct raw_profile *profile, const struct raw_function *function, size_t i)
{
	if (profile->counter_size == 1)
		return !function->counters.data[i];
	return load(function->counters.data + 8 * i, 8, profile->big);
}

/* raw_has_sites - has it value sites, and so value data? */
bool raw_has_sites(const struct raw_function *function);

/*
 * raw_values_take - the value data of record @index at the start of *@rest, which
 * moves behind it. @sites, all zeros before, gets the record's sites and what was
 * seen there, as the target stored it, but of a double nothing: empty it with
 * sites_clear(), even after an error. NULL: only check. Errors: BAD.
 */
enum status raw_values_take(const struct raw_profile *profile, const struct raw_function *function, uint64_t index,
	struct bytes *rest, struct sites *sites, struct error *error);

/*
 * raw_next_build_id - take the next id from *@rest, which starts as the whole
 * section; false at its end, or where it is damaged: then *@rest is not empty.
 */
bool raw_next_build_id(const struct raw_profile *profile, struct bytes *rest, struct bytes *id);

/*
 * raw_values_skip - the length of the value data at the start of @rest that
 * belongs to all records of @profile. Errors: BAD.
 */
enum status raw_values_skip(const struct raw_profile *profile, struct bytes rest, size_t *size, struct error *error);

/* raw_correlated - counters without records: those and the names are in the ELF file. */
bool raw_correlated(const struct raw_profile *profile);

/* The LLVM releases that write and read a raw version; newest 0: still does. */
struct raw_release {
	unsigned int version;
	unsigned int oldest;
	unsigned int newest;
};

/* raw_release - the releases of @version, NULL if it is unknown. */
const struct raw_release *raw_release(uint64_t version);

/* raw_of_release - the raw version that LLVM release @release writes and reads; 0: not known. */
unsigned int raw_of_release(unsigned int release);

/* raw_later_kinds - append to a list what the variant bits of @version_word say that LLVM release @release did not know. */
void raw_later_kinds(uint64_t version_word, unsigned int release, struct buffer *text);

/* raw_release_text, raw_kind_text - append "LLVM 14 to 17"; what kind of profile it is. */
void raw_release_text(unsigned int version, struct buffer *text);
void raw_kind_text(uint64_t version_word, struct buffer *text);

#endif
