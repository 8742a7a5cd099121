/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watched.c - computes the coverage of each profile, and takes what ran from it. Only files that have a function with other
 * counters than in the last profile are computed again.
 */
#include "watched.h"
#include "elf_info.h"
#include "profile_read.h"
#include "raw_open.h"
#include "raw_release.h"

#include <stdlib.h>

/* While a look is made. */
struct looking {
	struct watched *watched;
	struct look *look;
	struct model model; /* the new profile */
	struct coverage coverage;
	struct file_coverage file;
};

static enum status check_mapping(const struct watched *watched, struct error *error)
{
	if (!watched->mapping.list_count || !watched->mapping.record_count)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no coverage mapping (sections __llvm_covmap and __llvm_covfun), so it has no lines to "
			"watch: compile with -fcoverage-mapping, and do not strip the program");
	if (!watched->mapping.names.count)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no names of functions (section __llvm_prf_names): run 'bareprof check' on it");
	return STATUS_OK;
}

enum status watched_open(struct watched *watched, const char *path, struct error *error)
{
	struct elf_info elf;
	enum status status = elf_read(&elf, path, error);

	*watched = (struct watched){.path = format("%s", path)};
	if (status != STATUS_OK)
		return status;
	watched->clang = elf.clang;
	elf_free(&elf);
	status = mapping_read(&watched->mapping, path, &watched->files, error);
	if (status == STATUS_OK)
		status = check_mapping(watched, error);
	if (status != STATUS_OK)
		return status;
	watched->ran = allocate(watched->mapping.record_count, sizeof(*watched->ran));
	watched->covered = allocate(watched->files.count, sizeof(*watched->covered));
	return STATUS_OK;
}

static void forget(struct watched *watched)
{
	size_t i;

	memset(watched->ran, 0, watched->mapping.record_count * sizeof(*watched->ran));
	for (i = 0; i < watched->files.count; i++)
		ranges_free(&watched->covered[i].ran);
}

void watched_free(struct watched *watched)
{
	if (watched->covered)
		forget(watched);
	if (watched->looked)
		model_free(&watched->model);
	free(watched->covered);
	free(watched->ran);
	mapping_free(&watched->mapping);
	file_names_free(&watched->files);
	free(watched->path);
	*watched = (struct watched){.path = NULL};
}

/* A count that torn counts made. Such counts say nothing about a reset. */
static bool is_huge(uint64_t count)
{
	return count >> 63;
}

/*
 * Returns whether the counters were reset between two profiles. Then a count that was not 0 is 0, or if all code ran again,
 * the sum is lower. A single count can be lower without a reset: if two CPUs count at the same time, and the counters are
 * not atomic, one of them can overwrite the counts of the other one.
 */
static bool were_reset(const struct model *before, struct model *now)
{
	uint64_t sum_before = 0;
	uint64_t sum_now = 0;
	size_t i;

	for (i = 0; i < before->count; i++) {
		const struct function *was = &before->functions[i];
		const struct function *is = model_find(now, was->reference, was->hash);
		uint32_t n;

		for (n = 0; is && n < was->counter_count && n < is->counter_count; n++) {
			if (is_huge(was->counters[n]) || is_huge(is->counters[n]))
				continue;
			if (was->counters[n] && !is->counters[n])
				return true;
			sum_before = add_saturating(sum_before, was->counters[n]);
			sum_now = add_saturating(sum_now, is->counters[n]);
		}
	}
	return sum_now < sum_before;
}

/* Returns whether the counters of @function are those of the last look. */
static bool is_unchanged(const struct looking *looking, const struct coverage_function *function)
{
	const struct function *now = function->profile;
	const struct function *before;

	if (!now)
		return true;
	before = model_find(&looking->watched->model, now->reference, now->hash);
	return before && before->counter_count == now->counter_count &&
	       !memcmp(before->counters, now->counters, now->counter_count * sizeof(*now->counters));
}

static bool file_is_unchanged(const struct looking *looking, uint32_t file)
{
	const struct coverage *coverage = &looking->coverage;
	size_t count;
	const uint32_t *functions = coverage_in_file(coverage, file, &count);
	size_t i;

	for (i = 0; i < count; i++)
		if (!is_unchanged(looking, &coverage->functions[functions[i]]))
			return false;
	return true;
}

static bool same_place(const struct coverage_function *a, const struct coverage_function *b)
{
	return a->main_file == b->main_file && a->line == b->line && a->column == b->column;
}

static void add_function(struct look *look, const struct look_function *function)
{
	look->function_list = array_grow(
		look->function_list, look->function_count, &look->function_room, sizeof(*look->function_list));
	look->function_list[look->function_count++] = *function;
}

/*
 * Looks at the functions from coverage->by_main_file[@from] on that have the same location: instantiations of a template, or
 * the copies of an inline function. They are one function, as in the totals. Returns the index of the next one.
 */
static size_t find_function(struct looking *looking, size_t from)
{
	const struct coverage *coverage = &looking->coverage;
	const struct coverage_function *first = &coverage->functions[coverage->by_main_file[from]];
	struct look_function found = {.file = first->main_file, .line = first->line};
	bool ran_before = false;
	size_t i;

	for (i = from; i < coverage->by_main_count; i++) {
		const struct coverage_function *function = &coverage->functions[coverage->by_main_file[i]];
		bool *ran = &looking->watched->ran[function->record - looking->watched->mapping.records];

		if (!same_place(first, function))
			break;
		looking->look->impossible += function->verdict > COUNTS_DEAD_SWITCH;
		ran_before |= *ran;
		if (!function->executions)
			continue;
		*ran = true;
		found.count = add_saturating(found.count, function->executions);
		if (!found.name.size)
			found.name = function->name;
	}
	if (found.count && !ran_before && !looking->look->base)
		add_function(looking->look, &found);
	return i;
}

/* Appends the lines of the file that ran to @ran. */
static void find_covered(struct looking *looking, uint32_t file, struct line_ranges *ran)
{
	struct line_walk walk = {.segments = &looking->file.segments, .rules = &looking->coverage.rules};

	coverage_file(&looking->coverage, file, NULL, NULL, &looking->file);
	while (lines_next(&walk)) {
		uint64_t last = walk.line + walk.repeat - 1;

		if (walk.mapped && walk.count && walk.line <= UINT32_MAX)
			ranges_append(ran, (uint32_t)walk.line, last > UINT32_MAX ? UINT32_MAX : (uint32_t)last);
	}
}

/* Adds the lines of a file that ran for the first time to the look. */
static void find_lines(struct looking *looking, uint32_t file)
{
	struct line_ranges *before = &looking->watched->covered[file].ran;
	struct look *look = looking->look;
	struct line_ranges now = {NULL, 0, 0};
	struct line_ranges added = {NULL, 0, 0};

	find_covered(looking, file, &now);
	ranges_subtract(&now, before, &added);
	if (added.count)
		ranges_join(before, &added);
	ranges_free(&now);
	if (!added.count || look->base) {
		ranges_free(&added);
		return;
	}
	look->line_count += ranges_lines(&added);
	look->line_list =
		array_grow(look->line_list, look->line_list_count, &look->line_list_room, sizeof(*look->line_list));
	look->line_list[look->line_list_count++] = (struct look_lines){file, added};
}

static void find_news(struct looking *looking)
{
	const struct coverage *coverage = &looking->coverage;
	struct look *look = looking->look;
	size_t i = 0;

	while (i < coverage->by_main_count)
		i = find_function(looking, i);
	for (i = 0; i < coverage->source_count; i++) {
		uint32_t file = coverage->sources[i];
		struct coverage_summary summary;

		coverage_file_summary(coverage, file, NULL, NULL, &summary);
		look->functions.covered += summary.rate[RATE_FUNCTIONS].covered;
		look->functions.total += summary.rate[RATE_FUNCTIONS].total;
		look->lines.covered += summary.rate[RATE_LINES].covered;
		look->lines.total += summary.rate[RATE_LINES].total;
		if (look->base || look->reset || !file_is_unchanged(looking, file))
			find_lines(looking, file);
	}
}

/* Sets watched->common. The names of the source files are sorted, so the first and the last one tell. */
static void find_common(struct watched *watched, const struct coverage *coverage)
{
	struct bytes first = watched->files.list[coverage->sources[0]];
	struct bytes last = watched->files.list[coverage->sources[coverage->source_count - 1]];
	size_t n = 0;

	while (n < first.size && n < last.size && first.data[n] == last.data[n])
		n++;
	while (n && first.data[n - 1] != '/')
		n--;
	watched->common = n;
}

static enum status read_profile(struct looking *looking, const struct watched_profile *profile, struct error *error)
{
	const struct read_options options = {.add = {.weight = 1}};
	struct watched *watched = looking->watched;
	struct coverage *coverage = &looking->coverage;
	enum status status = profile_read(&looking->model, profile->raw, &options, error);
	struct raw_profile first;
	struct error unused;
	unsigned int release = watched->clang;

	if (!release && raw_open(&first, profile->raw, 0, &unused) == STATUS_OK) {
		release = raw_release(first.version) ? raw_release(first.version)->newest : 0;
		raw_close(&first);
	}
	coverage_start(coverage, &watched->files, release, true);
	/* Decisions do not decide which lines ran, and their test vectors take time. */
	coverage->rules.has_mcdc = false;
	if (status == STATUS_OK && looking->model.variants & BAREPROF_VARIANT_IR)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has a PGO profile, which has no lines: compile with -fprofile-instr-generate and "
			"-fcoverage-mapping");
	if (status == STATUS_OK)
		status = coverage_add(coverage, &watched->mapping, &looking->model, error);
	if (status == STATUS_OK && !coverage->count)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has no function of this profile, so the profile comes from another program or build");
	return status;
}

enum status watched_look(
	struct watched *watched, const struct watched_profile *profile, struct look *look, struct error *error)
{
	struct looking looking = {.watched = watched, .look = look};
	enum status status;

	model_start(&looking.model);
	status = read_profile(&looking, profile, error);
	if (status == STATUS_OK) {
		coverage_finish(&looking.coverage);
		if (looking.coverage.source_count)
			find_common(watched, &looking.coverage);
		look->base = !watched->looked;
		look->reset = watched->looked && ((watched->generation_known && profile->generation_known &&
							  watched->generation != profile->generation) ||
							 were_reset(&watched->model, &looking.model));
		if (look->reset)
			forget(watched);
		find_news(&looking);
		if (watched->looked)
			model_free(&watched->model);
		watched->model = looking.model;
		watched->looked = true;
		watched->generation = profile->generation;
		watched->generation_known = profile->generation_known;
	} else {
		model_free(&looking.model);
	}
	file_coverage_free(&looking.file);
	coverage_free(&looking.coverage);
	return status;
}
