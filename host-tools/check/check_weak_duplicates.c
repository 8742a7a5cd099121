/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_weak_duplicates.c - reports weak functions that are defined more than once (weak_duplicates.h), with their
 * names and files. The severity depends on whether the image calls the function that fixes their records.
 */
#include "culprits.h"

#include <stdlib.h>
#include <string.h>

/* At most this many functions are named. */
#define SHOWN 4u
/* To find the file of a record, static functions are searched among this many records before and after the record. */
#define NEAR 256u

struct duplicate_names {
	const struct check *check;
	struct units units;
	struct buffer text;
};

static bool is_called(const char *path, const char *base)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, base);
}

/*
 * Returns the source file of a record's function if the function is static, else NULL. A static function is called
 * "file.c:name" or "file.c;name", usually without folders. The coverage mapping has the file with its folders. If
 * the mapping has a different file, the function comes from a header. The result is then NULL, because other
 * objects can include the header as well.
 */
static char *file_of(const struct duplicate_names *names, size_t index)
{
	const struct records *records = &names->check->records;
	struct record record;
	char *file;
	char *path;
	size_t end;

	if (!records_get(records, records->version, index, &record) || !record_known(records, &record))
		return NULL;
	file = record_function(names->check, &record);
	end = strcspn(file, ":;");
	if (!file[end] || !names->units.function_count) {
		path = file[end] ? format("%.*s", (int)end, file) : NULL;
		free(file);
		return path;
	}
	file[end] = '\0';
	path = units_file(&names->units, record.name);
	if (path && !is_called(path, file)) {
		free(path);
		path = NULL;
	}
	free(file);
	return path;
}

static char *file_near(const struct duplicate_names *names, size_t index, bool before)
{
	size_t limit = before ? index : names->check->records.count - 1 - index;
	char *file = NULL;
	size_t i;

	for (i = 1; i <= limit && i <= NEAR && !file; i++)
		file = file_of(names, before ? index - i : index + i);
	return file;
}

/*
 * Returns the source file of a record, or NULL. If the nearest static functions before and after the record come from
 * one file, the record comes from this file too, because the records of one object are adjacent.
 */
static char *file_around(const struct duplicate_names *names, size_t index)
{
	char *before = file_near(names, index, true);
	char *behind = file_near(names, index, false);

	if (before && (!behind || strcmp(before, behind) != 0)) {
		free(before);
		before = NULL;
	}
	free(behind);
	return before;
}

/* Appends " (the one in A, not the one in B)" to the text if the files A and B are known and differ. */
static void add_files(struct duplicate_names *names, const struct weak_duplicate *own)
{
	char *used = file_around(names, own->prevailing);
	char *unused = file_around(names, own->index);

	/*
	 * If one file was compiled twice, both definitions have the same file name. In this case, the files are not
	 * named, because one name would not help the user.
	 */
	if (used && unused && strcmp(used, unused) != 0)
		buffer_printf(&names->text, " (the one in %s, not the one in %s)", used, unused);
	free(used);
	free(unused);
}

/*
 * Returns whether two records have the same structural hash and the same number of counters. In two copies of one
 * COMDAT group, the records of a function always have the same hash and number of counters.
 */
static bool is_same(const struct record *a, const struct record *b)
{
	return a->hash == b->hash && a->counter_count == b->counter_count;
}

/* Returns whether @name is a mangled name of C++ or Rust. In C, clang makes no COMDAT groups for weak functions. */
static bool is_mangled(const char *name)
{
	const char *colon = strrchr(name, ':');

	name = colon ? colon + 1 : name;
	return *name == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/*
 * Names the first few functions, each with the files of its prevailing definition and of a duplicate. Returns the
 * number of functions. *@is_comdat is set to true if all functions may be copies of COMDAT groups. This is so if they
 * are C++ or Rust functions, and the definitions of each function have equal records.
 */
static size_t add_names(struct duplicate_names *names, bool *is_comdat)
{
	const struct records *records = &names->check->records;
	const struct weak_duplicates *doubles = &records->weak_duplicates;
	bool *named = allocate(records->count, sizeof(*named));
	struct record record;
	struct record used;
	size_t count = 0;
	size_t i;

	*is_comdat = true;
	for (i = 0; i < doubles->count; i++) {
		const struct weak_duplicate *own = &doubles->list[i];
		char *function;

		if (!records_get(records, records->version, own->index, &record) ||
			!records_get(records, records->version, own->prevailing, &used))
			continue;
		function = record_function(names->check, &record);
		*is_comdat = *is_comdat && is_same(&record, &used) && is_mangled(function);
		if (named[own->prevailing] || count++ >= SHOWN) {
			named[own->prevailing] = true;
			free(function);
			continue;
		}
		named[own->prevailing] = true;
		buffer_printf(&names->text, "%s%s", count > 1 ? "; " : "", function);
		free(function);
		add_files(names, own);
	}
	if (count > SHOWN)
		buffer_printf(&names->text, " and %zu more", count - SHOWN);
	free(named);
	return count;
}

/*
 * Returns false if the integrator must add a call of bareprof_fix_weak_duplicates(). Returns true in each of four
 * cases. The records are not loaded. The image is a module, so its loader fixes the records. The image already has
 * bareprof_fix_weak_duplicates(). The image has no symbols, so `check` cannot know whether it has this function.
 */
static bool is_prepared(const struct check *check)
{
	return check->not_loaded[SECTION_RECORDS] || check->image.module || !check->image.symbol_count ||
	       image_symbol(&check->image, "bareprof_fix_weak_duplicates") != NULL;
}

static void add_finding(struct check *check, size_t count, bool is_comdat, const char *which)
{
	const char *verb = count == 1 ? " is" : "s are";
	struct finding *finding;

	if (is_prepared(check)) {
		check_add_as(check, SEVERITY_NOTE, FINDING_WEAK_DUPLICATE,
			"%zu weak function%s defined more than once, and the linker used one definition of each: %s; "
			"the other definitions count as never run",
			count, verb, which);
		return;
	}
	finding = check_add(check, FINDING_WEAK_DUPLICATE,
		"%zu weak function%s defined more than once, and the linker used one definition of each: %s; the "
		"records of the other definitions point to the counters of that definition; call "
		"bareprof_fix_weak_duplicates() when bareprof_image_init() or bareprof_image_self() returns "
		"BAREPROF_E_OVERLAP%s",
		count, verb, which,
		is_comdat ? "; but if the source has only one definition, ld -r turned COMDAT groups into plain "
			    "sections: leave out the option of ld -r that does this, and do not add the call"
			  : "");
	if (is_comdat)
		fix_add(finding, FIX_PARTIAL_WITHOUT, "--force-group-allocation");
	else
		fix_add(finding, FIX_CALL, "bareprof_fix_weak_duplicates(&image);");
}

void check_weak_duplicates(struct check *check)
{
	const struct image *image = &check->image;
	struct duplicate_names names = {.check = check};
	bool is_comdat;
	size_t count;

	if (!check->records.weak_duplicates.count)
		return;
	units_read(&names.units, image_content(image, image_section(image, "__llvm_covmap")),
		image_content(image, image_section(image, "__llvm_covfun")), image->big);
	count = add_names(&names, &is_comdat);
	add_finding(check, count, is_comdat, buffer_string(&names.text));
	buffer_free(&names.text);
	units_free(&names.units);
}
