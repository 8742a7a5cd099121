/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h - what would go wrong with the profile of a linked image, as a list
 * of findings, and what there is to be had of it.
 */
#ifndef BAREPROF_HOST_CHECK_H
#define BAREPROF_HOST_CHECK_H

#include "findings.h"
#include "image.h"
#include "records.h"

/* Where the line of a fix goes: words for programs, phrases for people. */
enum fix_location {
	FIX_COMPILE,
	FIX_COMPILE_WITHOUT,
	FIX_COMPILE_AGAIN, /* the line has the source files; none: everything */
	FIX_SOURCE,
	FIX_LINK,
	FIX_SCRIPT,
	FIX_LINKED, /* a command for the linked image */
	FIX_PARTIAL, /* ld -r */
	FIX_PARTIAL_WITHOUT,
	FIX_PARTIAL_SCRIPT_WITHOUT,
};

struct fix {
	enum fix_location location;
	char *line;
};

struct finding {
	enum severity severity;
	enum finding_id id;
	bool lean; /* of an image that has records and names in its file only */
	char *text; /* a sentence */
	char *function; /* whom it is about, or NULL */
	struct fix *fixes; /* all are needed; none: there is no line for it */
	size_t count;
	size_t room;
};

enum profile_section {
	SECTION_COUNTERS,
	SECTION_RECORDS,
	SECTION_NAMES,
	SECTION_BITMAPS,
	SECTION_VTABLES,
	SECTION_VNAMES,
	SECTIONS,
};

extern const char *const section_name[SECTIONS];

/* The sections of one name: each should be one, but can be several. */
struct same_name {
	const struct image_section *first;
	size_t count;
	uint64_t size; /* of all */
};

/* Starts as all zeros but for the path and what is forbidden; ends with check_free(). */
struct check {
	const char *path;
	const char *const *forbidden; /* sections without instrumentation, NULL at the end */

	struct image image;
	struct extent extent[SECTIONS];
	bool present[SECTIONS];
	bool not_loaded[SECTIONS]; /* in the file only */
	bool lean; /* records, names or what goes with them are not loaded */
	struct bytes content[SECTIONS];
	struct buffer relocated; /* content of the records */
	struct names names;
	struct records records;
	bool layout_known; /* one layout reads all records */
	size_t build_id; /* bytes */
	bool unstamped; /* room for one */
	struct buffer compilers;
	uint64_t version_word; /* of __llvm_profile_raw_version; 0: not defined */
	uint64_t functions;
	uint64_t sites;
	uint64_t value_data; /* bytes of it in a .profraw, if no site has a value */
	uint64_t loaded; /* bytes of profile sections in loaded segments */
	uint64_t could_be_unloaded; /* bytes of that which only the host needs */
	uint64_t unloaded_bytes; /* of a lean image: what stays in its file */

	struct finding *list; /* errors first */
	size_t count;
	size_t room;
};

/* check_image - read and judge. Errors, of the file as such: SYSTEM, INVALID_INPUT. */
enum status check_image(struct check *check, struct error *error);
void check_free(struct check *check);

/*
 * check_add - add a finding, which is the caller's until the next one. check_add_as - one
 * that is better or worse than as a rule.
 */
struct finding *check_add(struct check *check, enum finding_id id, const char *text, ...)
	__attribute__((format(printf, 3, 4)));
struct finding *check_add_as(struct check *check, enum severity severity, enum finding_id id, const char *text, ...)
	__attribute__((format(printf, 4, 5)));

/* fix_add - a line that mends @finding; fix_section - the one that places a section. */
void fix_add(struct finding *finding, enum fix_location location, const char *line, ...)
	__attribute__((format(printf, 3, 4)));
void fix_section(struct finding *finding, enum profile_section section);
/* fix_records - those of all that belongs together. fix_mapping, fix_build_id, fix_value_lists - of these sections. */
void fix_records(struct finding *finding);
void fix_mapping(struct finding *finding);
void fix_build_id(struct finding *finding);
void fix_value_lists(struct finding *finding);
const char *fix_location_word(enum fix_location location);
const char *fix_location_phrase(enum fix_location location);

/* check_not_loaded - a section that is in the file only: its bounds must be equal, and where the runtime accepts them. */
void check_not_loaded(struct check *check, enum profile_section section);

/* Parts of check_image(): bounds and sections; the records; their value sites and names; the functions they are of. */
void check_find_sections(struct check *check);
bool check_bounds(struct check *check);
void check_sections(struct check *check);
void check_records(struct check *check);
void check_mixed(struct check *check);
void check_weak_duplicates(struct check *check);
void check_values(struct check *check);
/* check_kinds - true if the records are of two kinds of profile, which is all there is to say then. */
bool check_kinds(struct check *check);
void check_names(struct check *check);
void check_functions(struct check *check);

/* check_bound - the symbol that bounds a section; also when it is of another kind than the others. */
const struct image_symbol *check_bound(
	const struct check *check, enum bounds bounds, enum profile_section section, bool stop);

/* sections_named - the sections called @name that are not empty. */
struct same_name sections_named(const struct check *check, const char *name);

/* check_unused - how many names have no record; the first few are appended to @text. */
size_t check_unused(const struct check *check, struct buffer *text);

/* Bytes on a wire. */
struct forecast {
	uint64_t text; /* as console lines */
	uint64_t frames; /* as binary frames; at most */
};

/* How large the dump will be, without values. All 0 if the layout is not known or a size not credible. */
struct estimate {
	uint64_t profraw;
	struct forecast whole; /* of that, in blocks of the smallest buffer */
	struct forecast counters_min; /* of counters and bitmaps in blocks of ESTIMATE_BUFFER, if nothing ran */
	struct forecast counters_max; /* and if nothing can be coded */
};

#define ESTIMATE_BUFFER 1024u

struct estimate check_estimate(const struct check *check);

#endif
