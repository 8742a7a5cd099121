/* SPDX-License-Identifier: BSD-2-Clause */
/* source_find.c - finds the file or function that a user means, or lists what can be meant. */
#include "source_find.h"
#include "options.h"

#include <inttypes.h>
#include <stdlib.h>

/* How well a name fits, from bad to good. */
enum fit {
	FITS_NOT,
	FITS_END, /* the end of a name of a function */
	FITS_PLAIN, /* a name without parameters */
	FITS_FILE_END, /* the end of a name of a file */
	FITS_FUNCTION,
	FITS_FILE,
};

/* At most this many candidates are listed. */
#define LISTED 12

struct search {
	const struct report_view *view;
	const char *wanted;
	struct bytes folder_file; /* FILE of FILE:FUNCTION; without bytes: any file */
	const char *function; /* FUNCTION, or the whole text */
	char *real; /* the path of the file on disk, or NULL */
	bool filtered; /* without the files that --ignore-filename and --sources leave out */
	enum fit best;
	uint32_t *files;
	size_t file_count;
	size_t *functions; /* in the order of their locations */
	size_t count;
};

static bool ends_with(struct bytes name, struct bytes end)
{
	return name.size >= end.size && !memcmp(name.data + name.size - end.size, end.data, end.size);
}

static struct bytes text_bytes(const char *text)
{
	return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static bool takes(const struct search *search, uint32_t file)
{
	return search->filtered ? report_view_takes(search->view, file) : file != FILE_NONE;
}

static enum fit fit_file(const struct search *search, struct bytes name)
{
	struct bytes wanted = text_bytes(search->wanted);

	while (wanted.size > 2 && !memcmp(wanted.data, "./", 2))
		bytes_slice(wanted, 2, wanted.size - 2, &wanted);
	if (bytes_equal(name, wanted) || (search->real && bytes_equal(name, text_bytes(search->real))))
		return FITS_FILE;
	return is_end_of_path(name, wanted) ? FITS_FILE_END : FITS_NOT;
}

/* Copies "operator" and the characters of an operator from *@at to @out, so that they are not taken for brackets. */
static void take_operator(const char **at, char **out)
{
	size_t n = strlen("operator");

	if (starts_with(*at + n, "()") || starts_with(*at + n, "[]"))
		n += 2;
	else
		n += strspn(*at + n, "<>=!+-*/%^&|~,");
	memcpy(*out, *at, n);
	*out += n;
	*at += n;
}

/*
 * Returns a name of Rust, such as "<TYPE as TRAIT>::f", as "TYPE::f", or as "TRAIT::f" if @trait is true. Returns other
 * names as they are. The caller frees the result.
 */
static char *without_cast(const char *name, bool trait)
{
	const char *as = NULL;
	const char *end = name;
	size_t depth = 0;

	do {
		depth += *end == '<';
		depth -= *end == '>' && depth;
		if (depth == 1 && !as && starts_with(end, " as "))
			as = end;
	} while (depth && *++end);
	if (*name != '<' || *end != '>')
		return format("%s", name);
	if (trait && as)
		return format("%.*s%s", (int)(end - as - 4), as + 4, end + 1);
	return format("%.*s%s", (int)((as ? as : end) - name - 1), name + 1, end + 1);
}

/* Copies the part of @name outside of brackets to @result, which has room for it. */
static void copy_plain(const char *name, char *result)
{
	static const char anonymous[] = "(anonymous namespace)";
	char *out = result;
	size_t depth = 0;

	while (*name) {
		bool word_starts = out == result || out[-1] == ':';

		if (!depth && word_starts && starts_with(name, "operator") &&
			!strchr("abcdefghijklmnopqrstuvwxyz_", name[8]))
			take_operator(&name, &out);
		else if (!depth && starts_with(name, anonymous)) {
			memcpy(out, anonymous, strlen(anonymous));
			out += strlen(anonymous);
			name += strlen(anonymous);
		} else if (*name == '<') {
			depth++;
			name++;
		} else if (*name == '>' && depth) {
			depth--;
			name++;
		} else if (!depth && *name == '(') {
			break;
		} else if (!depth && *name == ' ' &&
			   !ends_with((struct bytes){(const uint8_t *)result, (size_t)(out - result)},
				   text_bytes("operator"))) {
			/* What came before is the type of the result. */
			out = result;
			name++;
		} else {
			if (!depth)
				*out++ = *name;
			name++;
		}
	}
	/* Rust writes ::<T>. */
	while (out > result && out[-1] == ':')
		out--;
	*out = 0;
}

static char *plain_of(const char *name, bool trait)
{
	char *whole = without_cast(name, trait);
	char *result = allocate(strlen(whole) + 1, 1);

	copy_plain(whole, result);
	free(whole);
	return result;
}

char *plain_name(const char *name)
{
	return plain_of(name, false);
}

/* Returns how well @wanted fits the name @plain of a function without its parameters. */
static enum fit fit_plain(const char *wanted, const char *plain)
{
	size_t size = strlen(wanted);
	size_t whole = strlen(plain);

	if (!strcmp(plain, wanted))
		return FITS_PLAIN;
	if (size && whole > size + 2 && !strcmp(plain + whole - size, wanted) &&
		!memcmp(plain + whole - size - 2, "::", 2))
		return FITS_END;
	return FITS_NOT;
}

static enum fit fit_function(const struct search *search, size_t index)
{
	const struct coverage_function *function = &search->view->coverage->functions[index];
	struct bytes wanted = text_bytes(search->function);
	const char *name = search->view->names[index];
	enum fit fit = FITS_NOT;
	unsigned int i;

	if (bytes_equal(function->name, wanted) || !strcmp(name, search->function))
		return FITS_FUNCTION;
	/* Most names are not similar at all. */
	if (!strchr(name, ':') && !strchr(name, '(') && !strchr(name, '<'))
		return FITS_NOT;
	for (i = 0; i < 2; i++) {
		char *plain = plain_of(name, i);
		enum fit this = fit_plain(search->function, plain);

		fit = this > fit ? this : fit;
		free(plain);
	}
	return fit;
}

/* Notes that something fits. Returns whether it fits at least as well as what was found before. */
static bool is_as_good(struct search *search, enum fit fit)
{
	if (fit == FITS_NOT || fit < search->best)
		return false;
	if (fit > search->best)
		search->file_count = search->count = 0;
	search->best = fit;
	return true;
}

static void find_files(struct search *search)
{
	const struct coverage *coverage = search->view->coverage;
	size_t i;

	for (i = 0; i < coverage->source_count; i++) {
		uint32_t file = coverage->sources[i];

		if (takes(search, file) && is_as_good(search, fit_file(search, coverage->files->list[file])))
			search->files[search->file_count++] = file;
	}
}

/*
 * Returns whether @function can be in FILE of FILE:FUNCTION: in its source, or at the start of its name. A local function
 * of a header has the name of the file that includes it.
 */
static bool is_in_file(const struct search *search, const struct coverage_function *function)
{
	struct bytes source = search->view->coverage->files->list[function->main_file];

	return is_end_of_path(source, search->folder_file) ||
	       is_end_of_path(view_local_file(function->name), search->folder_file);
}

static void find_functions(struct search *search)
{
	const struct coverage *coverage = search->view->coverage;
	uint32_t last = FILE_NONE;
	bool taken = false; /* the view is about the file @last */
	size_t i;

	for (i = 0; i < coverage->by_main_count; i++) {
		uint32_t index = coverage->by_main_file[i];
		uint32_t file = coverage->functions[index].main_file;

		if (search->folder_file.size && !is_in_file(search, &coverage->functions[index]))
			continue;
		if (file != last)
			taken = takes(search, file);
		last = file;
		if (taken && is_as_good(search, fit_function(search, index)))
			search->functions[search->count++] = index;
	}
}

static bool is_same_place(const struct coverage_function *a, const struct coverage_function *b)
{
	return a->main_file == b->main_file && a->line == b->line && a->column == b->column;
}

/* Returns the number of locations at which the functions that were found start. */
static size_t count_places(const struct search *search)
{
	const struct coverage_function *functions = search->view->coverage->functions;
	size_t places = 0;
	size_t i;

	for (i = 0; i < search->count; i++)
		places += !i || !is_same_place(&functions[search->functions[i - 1]], &functions[search->functions[i]]);
	return places;
}

static enum status tell_several(const struct search *search, size_t places, struct error *error)
{
	const struct coverage *coverage = search->view->coverage;
	const char *suffix = places > LISTED ? ", ..." : "";
	struct buffer list = {0};
	size_t listed = 0;
	enum status status;
	size_t i;

	for (i = 0; i < search->file_count && listed < LISTED; i++, listed++) {
		struct bytes name = coverage->files->list[search->files[i]];

		buffer_printf(&list, "%s%.*s", listed ? ", " : "", (int)name.size, (const char *)name.data);
	}
	for (i = 0; i < search->count && listed < LISTED; i++) {
		const struct coverage_function *function = &coverage->functions[search->functions[i]];
		struct bytes name = coverage->files->list[function->main_file];

		if (i && is_same_place(&coverage->functions[search->functions[i - 1]], function))
			continue;
		buffer_printf(&list, "%s%.*s:%s (line %" PRIu32 ")", listed++ ? ", " : "", (int)name.size,
			(const char *)name.data, search->view->names[search->functions[i]], function->line);
	}
	status = error_set(error, STATUS_INVALID_INPUT, "--show %s means %zu %s; name one of them: %s%s",
		search->wanted, places, search->file_count ? "files" : "functions", buffer_string(&list), suffix);
	buffer_free(&list);
	return status;
}

static enum status tell_none(const struct search *search, struct error *error)
{
	const struct coverage *coverage = search->view->coverage;
	const char **names = allocate(coverage->count + 1, sizeof(*names));
	const char *similar;
	size_t i;

	for (i = 0; i < coverage->count; i++)
		names[i] = search->view->names[i];
	similar = nearest(search->function, names);
	error_set(error, STATUS_INVALID_INPUT, "--show %s: the report has no such file or function%s%s%s",
		search->wanted, similar ? "; did you mean '" : "; --functions lists the functions",
		similar ? similar : "", similar ? "'?" : "");
	free(names);
	return STATUS_INVALID_INPUT;
}

static enum status tell_left_out(const struct search *search, uint32_t file, struct error *error)
{
	const struct source_filter *filter = search->view->filter;
	struct bytes name = search->view->coverage->files->list[file];

	return error_set(error, STATUS_INVALID_INPUT, "--show %s: %s leaves out %.*s", search->wanted,
		!filter->ignored_count ? "--sources"
		: filter->place_count  ? "--ignore-filename or --sources"
				       : "--ignore-filename",
		(int)name.size, (const char *)name.data);
}

/* Divides FILE:FUNCTION. A pair of colons is a part of a name. */
static void divide(struct search *search)
{
	const char *at = search->wanted;

	search->function = search->wanted;
	while ((at = strchr(at, ':')) != NULL) {
		if (at[1] == ':') {
			at += 2;
			continue;
		}
		search->folder_file = (struct bytes){(const uint8_t *)search->wanted, (size_t)(at - search->wanted)};
		search->function = at + 1;
		return;
	}
}

/* Finds what fits. Returns the number of locations. */
static size_t find(struct search *search, bool filtered)
{
	search->filtered = filtered;
	search->best = FITS_NOT;
	find_files(search);
	find_functions(search);
	return search->file_count + count_places(search);
}

/* Returns the file that was found, or the file of the first function that was found. */
static uint32_t found_file(const struct search *search)
{
	return search->file_count ? search->files[0]
	                          : search->view->coverage->functions[search->functions[0]].main_file;
}

enum status source_find(
	const struct report_view *view, const char *wanted, struct source_target *target, struct error *error)
{
	struct search search = {.view = view, .wanted = wanted};
	enum status status = STATUS_OK;
	size_t places;

	divide(&search);
	search.real = realpath(wanted, NULL);
	search.files = allocate(view->coverage->source_count, sizeof(*search.files));
	search.functions = allocate(view->coverage->count, sizeof(*search.functions));
	places = find(&search, true);
	*target = (struct source_target){.file = FILE_NONE};
	if (places > 1)
		status = tell_several(&search, places, error);
	else if (places)
		target->file = found_file(&search);
	else if (find(&search, false))
		status = tell_left_out(&search, found_file(&search), error);
	else
		status = tell_none(&search, error);
	target->count = search.count;
	if (status == STATUS_OK)
		target->functions = search.functions;
	else
		free(search.functions);
	free(search.files);
	free(search.real);
	return status;
}
