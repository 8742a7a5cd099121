/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h - the results of `bareprof check` for a linked image: figures such as sizes, and a list of findings. Each
 * finding is something that would go wrong with the image's profile.
 */
#ifndef BAREPROF_HOST_CHECK_H
#define BAREPROF_HOST_CHECK_H

#include "findings.h"
#include "image.h"
#include "records.h"

/*
 * The location to which the line of a fix belongs, such as the linker script. fix_location_word() and
 * fix_location_phrase() return the name of a location.
 */
enum fix_location {
	FIX_COMPILE,
	FIX_COMPILE_WITHOUT,
	FIX_COMPILE_AGAIN, /* the line lists source files, or is "everything" if the files are unknown */
	FIX_FILES_WITHOUT, /* the line lists source files, or functions if the files are unknown */
	FIX_SOURCE,
	FIX_DEFINITION, /* the line defines a variable */
	FIX_CALL, /* the line is a statement for start-up code */
	FIX_LINK,
	FIX_SCRIPT,
	FIX_FRAGMENT, /* the line is the last one of the linker script fragment */
	FIX_OBJCOPY, /* the line is an option of objcopy */
	FIX_LINKED, /* the line is a command for the linked image */
	FIX_PARTIAL, /* the line is an option of ld -r */
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
	bool lean; /* the image is lean */
	char *text; /* the problem, as a sentence without a full stop */
	char *function; /* a function that the finding is about, or NULL */
	/* the lines that fix the finding; all of them are needed; an empty list: no line fixes the finding */
	struct fix *fixes;
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

/* All sections with the same name. A correct image has at most one section of each name. */
struct same_name {
	const struct image_section *first;
	size_t count;
	uint64_t size; /* sum of the sizes of all sections with this name */
};

/* The names in the image that have no record, counted separately for each reason. */
struct unused {
	size_t dropped; /* number of names whose record was dropped by the linker */
	size_t without_code; /* number of names whose function has no code, because clang made none */
	size_t bytes; /* total length of the names of functions without code, before the names are packed, in bytes */
};

/* The caller sets @path, @forbidden, @mapped and @binary and zeroes the other fields. End with check_free(). */
struct check {
	const char *path;
	const char *const *forbidden; /* names of sections that must not have instrumented functions; NULL at the end */
	const char *mapped; /* START:END, the memory in which counters may lie; NULL: any memory */
	const char *binary; /* the path of the file that objcopy made from the image; NULL: there is no such file */

	struct image image;
	struct extent extent[SECTIONS];
	bool present[SECTIONS];
	bool not_loaded[SECTIONS]; /* for each section: the section is in the file only */
	bool lean; /* the records, the names or the sections of vtables are not loaded */
	struct bytes content[SECTIONS];
	struct buffer relocated; /* the records, with relocations applied */
	struct names names;
	struct records records;
	bool layout_known; /* all records have the same record layout */
	size_t build_id; /* size of the build id in bytes; 0: there is none */
	bool unstamped; /* there is space for a build id, but the id is not filled in */
	struct buffer compilers; /* the versions of the compilers, as in .comment */
	uint64_t version_word; /* the value of __llvm_profile_raw_version; 0: not defined */
	uint64_t functions;
	struct unused unused;
	uint64_t sites;
	uint64_t value_data; /* bytes of value data in a .profraw, if no site has a value */
	uint64_t loaded; /* bytes of profile sections in loaded segments */
	uint64_t could_be_unloaded; /* the part of @loaded that only the host needs, in bytes */
	uint64_t unloaded_bytes; /* bytes of profile sections that stay in the file of a lean image */

	/* the parts of a machine profile */
	struct {
		bool present; /* the image has at least one of these parts */
		uint64_t functions; /* functions with raw bytes */
		uint64_t left_out; /* functions that the map lists without raw bytes */
		uint64_t coverage_bytes;
		uint64_t call_bytes;
		uint64_t block_bytes;
		uint64_t sample_bytes; /* size of the ring */
	} machine;

	struct finding *list; /* sorted by severity: errors come first */
	size_t count;
	size_t room;
};

/*
 * check_image - reads the image at check->path, and fills in the other fields of @check. Everything that is wrong with
 * the image's profile becomes a finding. Errors, if the file cannot be checked at all: SYSTEM, INVALID_INPUT.
 */
enum status check_image(struct check *check, struct error *error);
void check_free(struct check *check);

/* extent_within - returns whether all of @extent is between the addresses @start and @stop. */
static inline bool extent_within(struct extent extent, uint64_t start, uint64_t stop)
{
	return extent.address >= start && extent.address <= stop && extent.size <= stop - extent.address;
}

/*
 * check_add - adds a finding, and returns a pointer to it, so that the caller can add fixes. The pointer is valid until
 * the next finding is added.
 * check_add_as - does the same, with @severity instead of the finding's usual severity.
 */
struct finding *check_add(struct check *check, enum finding_id id, const char *text, ...)
	__attribute__((format(printf, 3, 4)));
struct finding *check_add_as(struct check *check, enum severity severity, enum finding_id id, const char *text, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * fix_add - adds a line that fixes @finding.
 * fix_section - adds the lines of a linker script that place @section.
 */
void fix_add(struct finding *finding, enum fix_location location, const char *line, ...)
	__attribute__((format(printf, 3, 4)));
void fix_section(struct finding *finding, enum profile_section section);
/*
 * fix_records - adds the lines of a linker script that place counters, bitmaps, records and names. These four sections
 * belong together.
 * fix_mapping, fix_build_id, fix_value_lists - add the lines of a linker script that place the coverage mapping, the
 * build id, and the list heads and nodes of values.
 */
void fix_records(struct finding *finding);
void fix_mapping(struct finding *finding);
void fix_build_id(struct finding *finding);
void fix_value_lists(struct finding *finding);
const char *fix_location_word(enum fix_location location);
const char *fix_location_phrase(enum fix_location location);

/*
 * check_not_loaded - checks the bounds of a section that is in the file only. The two bounds must be equal. The bounds
 * of records must also be aligned.
 */
void check_not_loaded(struct check *check, enum profile_section section);

/*
 * Parts of check_image(). check_find_sections() finds the profile's sections. Each other function adds the findings
 * about the subject in its name. check_bounds() returns false if a section was linked as several sections.
 */
void check_find_sections(struct check *check);
bool check_bounds(struct check *check);
void check_sections(struct check *check);
void check_records(struct check *check);
void check_mixed(struct check *check);
void check_weak_duplicates(struct check *check);
void check_values(struct check *check);
/*
 * check_at_zero - adds a finding and returns true if a linker put memory of the image at address 0, because the linker
 * script names this memory after the coverage mapping.
 */
bool check_at_zero(struct check *check);
/* check_machine - adds the findings about a machine profile, and sets check->machine. */
void check_machine(struct check *check);
void check_build_id(struct check *check);
/*
 * check_kinds - adds a finding and returns true if the image has records of two kinds of profile. Other findings about
 * the records are then useless.
 */
bool check_kinds(struct check *check);
void check_names(struct check *check);
void check_functions(struct check *check);
void check_mapping(struct check *check);
void check_filled(struct check *check);
void check_runtime(struct check *check);
void check_buffers(struct check *check);
void check_releases(struct check *check);

/*
 * check_bound - returns the symbol at the start of @section, or at its end if @stop is true. The symbols are called
 * __start_SECTION and __stop_SECTION if @bounds is BOUNDS_OURS, or SECTION_start and SECTION_end if it is BOUNDS_LINUX.
 * Returns NULL if the image has no such symbol.
 */
const struct image_symbol *check_bound(
	const struct check *check, enum bounds bounds, enum profile_section section, bool stop);

/*
 * sections_named - returns the first section that has the name @name and is not empty, the number of such sections, and
 * the sum of their sizes.
 */
struct same_name sections_named(const struct check *check, const char *name);

/*
 * check_unused - counts the names that have no record, and returns one number for each reason. Appends to @text the
 * first few names whose record the linker dropped.
 */
struct unused check_unused(const struct check *check, struct buffer *text);

/*
 * check_unmapped - adds a finding if counters are outside of the memory check->mapped.
 * check_binary - adds a finding if the file check->binary lacks a part of the profile. Errors of both: USAGE,
 * INVALID_INPUT, SYSTEM.
 */
enum status check_unmapped(struct check *check, struct error *error);
enum status check_binary(struct check *check, struct error *error);

/*
 * check_has_code - returns whether the image has a section called @name. Also returns true if a linker script merged
 * this section into .text, and symbols still show where its code is.
 */
bool check_has_code(const struct check *check, const char *name);

/*
 * check_bias - returns the start value of the bias of @counted, which is the section of the counters or of the bitmaps.
 * Instrumented code adds the bias to the address of each counter or bitmap. The start value is 0 if the linker script
 * has no BAREPROF_BIAS.
 */
uint64_t check_bias(const struct check *check, enum profile_section counted);

/* check_address - returns the address of a record's function, or 0 if it is unknown. */
uint64_t check_address(const struct check *check, const struct record *record);

/* The sizes of one dump on the wire, in bytes. */
struct forecast {
	uint64_t text; /* size of the dump as console lines */
	uint64_t frames; /* maximum size of the dump as COBS frames */
};

/*
 * The sizes of dumps of the image, without values. All sizes are 0 if the record layout is unknown, or if a section has
 * 4 GiB or more. The dumps of counters use a block buffer of ESTIMATE_BUFFER bytes.
 */
struct estimate {
	uint64_t profraw; /* bytes of the .profraw */
	struct forecast whole; /* a dump of the whole .profraw, with the smallest block buffer */
	struct forecast counters_min; /* a dump of counters and bitmaps, if nothing ran */
	struct forecast counters_max; /* a dump of counters and bitmaps, if no coding makes the counters shorter */
};

#define ESTIMATE_BUFFER 1024u /* bytes */

/* check_estimate - returns the sizes of dumps of the image. Call it after check_image(). */
struct estimate check_estimate(const struct check *check);

#endif
