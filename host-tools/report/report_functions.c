/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_functions.c - explains numbers of functions. The table, the profile and the image's records can have different
 * numbers of functions, for these reasons:
 *
 * - The image can have more records (as `check` counts them) than the profile has functions (as `show` counts them). A
 *   function can have several records, for example if it is a weak function in two objects.
 * - The table lacks functions that the program lacks, or has with another structural hash, because the profile comes
 *   from another build.
 * - The table lacks a weak duplicate if it has another definition of the same function.
 * - The table lacks functions that were compiled without -fcoverage-mapping.
 * - The table has functions with a mapping but without a record, because no code uses these functions.
 * - The table has other functions with a mapping that the profile lacks (see report_lacking.c).
 * - If a macro or an included header defines several functions at one source location, the table has only one of them.
 */
#include "exit.h"
#include "report.h"

#include <inttypes.h>

/* Appends to @text that @count functions are @where, and the cause in parentheses. */
static void add_cause(struct buffer *text, uint64_t count, const char *where, const char *cause)
{
	if (count)
		buffer_printf(text, "%s%" PRIu64 " function%s %s (%s)", text->size ? "; " : ": ", count,
			count == 1 ? " is" : "s are", where, cause);
}

/*
 * Returns whether all profiles have the same functions. report->model has the functions of all profiles, so only then are
 * all numbers equal.
 */
static bool have_same_functions(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->count; i++)
		if (report->pairs[i].functions.in_profile != report->model->count)
			return false;
	return true;
}

void report_explain(const struct report *report, uint64_t in_table)
{
	static const char not_there[] = "not in the table";
	static const char only_there[] = "only in the table";
	const struct report_functions *functions = &report->pairs[0].functions;
	bool has_records = report->pairs[0].records > 0; /* only raw profiles have a number of records */
	uint64_t records = has_records ? report->pairs[0].records : functions->in_profile;
	const struct report_lacking *lacking = &report->pairs[0].lacking;
	uint64_t described = functions->mapped + lacking->unused + lacking->with_record.count;
	struct buffer more = {0};
	struct buffer text = {0};

	if (!report_is_one_program(report) || !have_same_functions(report) ||
		(records == functions->in_profile && functions->in_profile == in_table))
		return;
	if (records != functions->in_profile)
		buffer_printf(
			&more, ", and the image has %" PRIu64 " records, because a function can have several", records);
	add_cause(&text, functions->absent, not_there, "not in the program");
	add_cause(&text, functions->changed, not_there, "the program has another version");
	add_cause(&text, functions->duplicates, not_there, "the table has another definition of the same function");
	add_cause(&text,
		functions->in_profile - functions->mapped - functions->absent - functions->changed -
			functions->duplicates,
		not_there, "compiled without -fcoverage-mapping");
	add_cause(&text, described > in_table ? described - in_table : 0, not_there,
		"another function has the same location, in a macro or a header");
	add_cause(&text, lacking->unused, only_there, "no code uses such a function, so it has no record");
	add_cause(&text, lacking->with_record.count, only_there, "not in the profile");
	complain(has_records ? report->pairs[0].elf_path : input_name(report->pairs[0].profile_path),
		"the table has %" PRIu64 " function%s, and the profile has %" PRIu64 "%s%s", in_table,
		in_table == 1 ? "" : "s", functions->in_profile, buffer_string(&more), buffer_string(&text));
	buffer_free(&more);
	buffer_free(&text);
}
