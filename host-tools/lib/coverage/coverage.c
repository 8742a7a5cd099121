/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage.c - reads the functions of programs, and computes their summaries. A function is left out where llvm-cov leaves
 * it out, too: if the profile has it with another structural hash, or if it was added before.
 */
#include "coverage.h"
#include "mapping_functions.h"

#include <stdlib.h>

/* A structural hash has this bit if it belongs to a context-sensitive profile. */
#define HASH_OF_CONTEXT ((uint64_t)1 << 60)

/*
 * A function can have a file several times, for its expansions. For each different file of a function, the program
 * looks at all files of the function. The work for a function is the product of both numbers. A hostile mapping could
 * make this product huge. So the work for all functions together is at most WORK_BASE plus WORK_FACTOR times the size
 * of the mapping. Kernels need less than the size.
 */
#define WORK_BASE   ((uint64_t)8 << 20)
#define WORK_FACTOR 16u

/* A function in one of its files. */
struct function_place {
	uint32_t file;
	uint32_t function;
	struct bytes stored; /* see file_store.h */
};

/* While a program is added. */
struct adding {
	struct coverage *coverage;
	const struct mapping *mapping;
	struct model *model;
	struct error *error;
	struct function **profiles; /* for each record: its function in the profile, or NULL */
	/*
	 * The name hashes in the profile, sorted. [1]: of functions with a context-sensitive hash; [0]: of all others.
	 * They are needed only if the program has a function that the profile lacks.
	 */
	uint64_t *names[2];
	size_t name_count[2];
	size_t name_at; /* see names_find_near() */
	uint32_t *last_in_file; /* for each file: 1 more than the index of the last function that has it; 0: none */
};

void coverage_start(struct coverage *coverage, struct file_names *names, unsigned int release, bool files)
{
	*coverage = (struct coverage){.rules = coverage_rules(release), .files = names};
	coverage->storing = files ? allocate(1, sizeof(*coverage->storing)) : NULL;
	coverage->work_limit = WORK_BASE;
}

static void list_names(struct adding *adding)
{
	const struct model *model = adding->model;
	unsigned int kind;
	size_t i;

	if (adding->names[0])
		return;
	for (kind = 0; kind < 2; kind++)
		adding->names[kind] = allocate(model->count, sizeof(uint64_t));
	for (i = 0; i < model->count; i++) {
		kind = (model->functions[i].hash & HASH_OF_CONTEXT) != 0;
		adding->names[kind][adding->name_count[kind]++] = model->functions[i].reference;
	}
	for (kind = 0; kind < 2; kind++)
		if (adding->name_count[kind])
			qsort(adding->names[kind], adding->name_count[kind], sizeof(uint64_t), compare_numbers);
}

static bool has_name(const struct adding *adding, unsigned int kind, uint64_t name)
{
	return adding->name_count[kind] &&
	       bsearch(&name, adding->names[kind], adding->name_count[kind], sizeof(name), compare_numbers);
}

/* Returns whether the profile has a function with this name and another structural hash. */
static bool has_other(struct adding *adding, uint64_t name, uint64_t hash)
{
	unsigned int kind = (hash & HASH_OF_CONTEXT) != 0;

	list_names(adding);
	return has_name(adding, kind, name) ||
	       (!adding->coverage->rules.context_is_apart && has_name(adding, !kind, name));
}

/*
 * Finds the counters and the name of the function of the record with the index @i. Returns false if the function must be
 * left out.
 */
static bool find_function(struct adding *adding, size_t i, struct coverage_function *function)
{
	const struct mapping_record *record = &adding->mapping->records[i];
	const struct mapping_rename *rename = mapping_renamed(adding->mapping, record->name);
	const struct name *name = names_find_near(&adding->mapping->names, record->name, &adding->name_at);
	uint64_t reference = rename ? rename->now : record->name;

	function->mapping = adding->mapping;
	function->record = record;
	function->profile = adding->profiles[i];
	if (rename)
		function->name = (struct bytes){(const uint8_t *)rename->name, strlen(rename->name)};
	else if (name)
		function->name = name->text;
	else
		adding->coverage->nameless++;
	if (!function->name.size)
		return false;
	if (function->profile || !has_other(adding, reference, record->hash))
		return true;
	adding->coverage->mismatched++;
	return false;
}

static const char *read_regions(const struct coverage_function *function, struct function_regions *regions)
{
	const struct mapping *mapping = function->mapping;
	const struct mapping_list *list = &mapping->lists[function->record->list];

	return regions_read(regions, function->record->regions, mapping->list_files + list->first, list->count);
}

/* Computes the counts of @regions. Returns false if they refer to counters that do not exist. */
static bool compute_counts(const struct coverage_function *function, struct function_regions *regions)
{
	const struct function *profile = function->profile;

	return regions_count(regions, profile ? profile->counters : NULL, profile ? profile->counter_count : 0);
}

/* Computes and judges the counts of @regions. Returns false if they refer to counters that do not exist. */
static bool count_regions(
	const struct coverage_function *function, struct function_regions *regions, enum counts_verdict *verdict)
{
	const uint64_t *counters = function->profile ? function->profile->counters : NULL;
	size_t count = function->profile ? function->profile->counter_count : 0;
	bool good = compute_counts(function, regions);

	*verdict = good ? regions_judge(regions, counters, count) : COUNTS_POSSIBLE;
	return good;
}

void coverage_regions(
	const struct coverage *coverage, const struct coverage_function *function, struct function_regions *regions)
{
	enum counts_verdict verdict;

	(void)coverage;
	read_regions(function, regions);
	if (function->verdict == COUNTS_POSSIBLE)
		compute_counts(function, regions);
	else
		count_regions(function, regions, &verdict);
}

/*
 * Returns whether the regions are only a mark that an object does not use a function that another object has. The function
 * then has counts, and the regions of the other object show them.
 */
static bool is_used_elsewhere(const struct coverage_function *function, const struct function_regions *regions)
{
	return regions->count == 1 && !(regions->list[0].operand[0] & REGION_OPERAND_TAG) && function->profile &&
	       function->profile->counter_count && function->profile->counters[0];
}

/* Removes the name of the file from the name of a static function, as llvm-cov does. */
static void shorten_name(struct coverage_function *function, struct bytes file)
{
	struct bytes *name = &function->name;

	if (file.size && name->size > file.size + 1 && !memcmp(name->data, file.data, file.size))
		bytes_slice(*name, file.size + 1, name->size - file.size - 1, name);
}

static uint64_t add_to_hash(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* Returns a hash of the name of @function and its files. */
static uint64_t identity(const struct coverage_function *function, const struct function_regions *regions)
{
	struct bytes name = function->name;
	uint64_t hash = name.size;
	size_t i;

	for (i = 0; i < regions->file_count; i++)
		hash = add_to_hash(hash, regions->files[i].name);
	for (i = 0; i < name.size; i += 8)
		hash = add_to_hash(
			hash, load_uint(name.data + i, name.size - i < 8 ? (unsigned int)(name.size - i) : 8, false));
	return hash ? hash : 1;
}

static uint64_t *find_seen(const struct coverage *coverage, uint64_t hash)
{
	size_t at = (size_t)hash & (coverage->seen_size - 1);

	while (coverage->seen[at] && coverage->seen[at] != hash)
		at = (at + 1) & (coverage->seen_size - 1);
	return &coverage->seen[at];
}

static void grow_seen(struct coverage *coverage)
{
	uint64_t *old = coverage->seen;
	size_t size = coverage->seen_size;
	size_t i;

	if (2 * coverage->seen_count < size)
		return;
	coverage->seen_size = size ? 2 * size : 1024;
	coverage->seen = allocate(coverage->seen_size, sizeof(*coverage->seen));
	for (i = 0; i < size; i++)
		if (old[i])
			*find_seen(coverage, old[i]) = old[i];
	free(old);
}

/* Returns whether a function with the same name and files was added before. If not, notes it. */
static bool was_seen(
	struct coverage *coverage, const struct coverage_function *function, const struct function_regions *regions)
{
	uint64_t hash = identity(function, regions);
	uint64_t *slot;

	grow_seen(coverage);
	slot = find_seen(coverage, hash);
	if (*slot)
		return true;
	*slot = hash;
	coverage->seen_count++;
	return false;
}

/*
 * Notes the files of the last function, and stores what the function adds to each file. Returns false if this is too
 * much work.
 */
static bool add_places(struct adding *adding, const struct function_regions *regions)
{
	struct coverage *coverage = adding->coverage;
	size_t first = coverage->place_count;
	size_t i;

	for (i = 0; i < regions->file_count; i++) {
		uint32_t name = regions->files[i].name;

		if (adding->last_in_file[name] == coverage->count)
			continue;
		adding->last_in_file[name] = (uint32_t)coverage->count;
		coverage->places = array_grow(
			coverage->places, coverage->place_count, &coverage->place_room, sizeof(*coverage->places));
		coverage->places[coverage->place_count++] =
			(struct function_place){name, (uint32_t)coverage->count - 1, {NULL, 0}};
	}
	coverage->work =
		add_saturating(coverage->work, (uint64_t)(coverage->place_count - first) * regions->file_count);
	if (coverage->work > coverage->work_limit)
		return false;
	for (i = first; i < coverage->place_count && coverage->storing; i++)
		coverage_store_file(coverage, &coverage->functions[coverage->count - 1], regions,
			coverage->places[i].file, &coverage->places[i].stored);
	return true;
}

/* Sets the locations of @function, and adds it. Returns false if it has too many files. */
static bool keep(struct adding *adding, struct coverage_function *function, const struct function_regions *regions)
{
	struct coverage *coverage = adding->coverage;
	const struct region *first = NULL;
	size_t main = regions_main_file(regions);
	size_t i;

	function->main_file = FILE_NONE;
	function->executions = 0;
	for (i = 0; i < regions->count; i++) {
		const struct region *region = &regions->list[i];

		if (!region_is_counted(region))
			continue;
		if (!first) {
			first = region;
			function->first_line = region->line;
			function->executions = region->count;
		}
		if (region->file != main)
			continue;
		function->main_file = regions->files[main].name;
		function->line = region->line;
		function->column = region->column;
		break;
	}
	function->file = regions->files[0].name;
	function_summary(coverage, function, regions);
	coverage->functions =
		array_grow(coverage->functions, coverage->count, &coverage->room, sizeof(*coverage->functions));
	coverage->functions[coverage->count++] = *function;
	return add_places(adding, regions);
}

static enum status refuse(struct adding *adding, const struct coverage_function *function, const char *why)
{
	return error_set(adding->error, STATUS_INVALID_INPUT, "has a damaged coverage mapping of the function %.*s: %s",
		(int)function->name.size, (const char *)function->name.data, why);
}

static enum status add_function(struct adding *adding, size_t i)
{
	struct coverage *coverage = adding->coverage;
	struct function_regions *regions = &coverage->scratch;
	struct coverage_function function = {.profile = NULL};
	const char *wrong;

	if (!find_function(adding, i, &function))
		return STATUS_OK;
	wrong = read_regions(&function, regions);
	if (wrong)
		return refuse(adding, &function, wrong);
	if (!regions->count || is_used_elsewhere(&function, regions))
		return STATUS_OK;
	if (!count_regions(&function, regions, &function.verdict)) {
		/*
		 * llvm-cov leaves out functions without counts for the same reason. It is a fault only if the function
		 * has counts.
		 */
		if (function.profile && !coverage->unusable++)
			coverage->first_unusable = function.name;
		return STATUS_OK;
	}
	shorten_name(&function, coverage->files->list[regions->files[0].name]);
	if (!was_seen(coverage, &function, regions) && !keep(adding, &function, regions))
		return refuse(
			adding, &function, "this function and those before it have more files than any real program");
	return STATUS_OK;
}

enum status coverage_add(
	struct coverage *coverage, const struct mapping *mapping, struct model *model, struct error *error)
{
	struct adding adding = {.coverage = coverage, .mapping = mapping, .model = model, .error = error};
	enum status status = STATUS_OK;
	size_t i;

	coverage->byte_counters |= (model->variants & BAREPROF_VARIANT_BYTE_COVERAGE) != 0;
	coverage->work_limit += (uint64_t)WORK_FACTOR * mapping->records_section.size;
	adding.profiles = mapping_functions(mapping, model, true);
	adding.last_in_file = allocate(coverage->files->count, sizeof(*adding.last_in_file));
	coverage->mapping_size += mapping->records_section.size;
	for (i = 0; i < mapping->record_count && status == STATUS_OK; i++)
		status = add_function(&adding, i);
	free(adding.profiles);
	free(adding.names[0]);
	free(adding.names[1]);
	free(adding.last_in_file);
	return status;
}

static int compare_file_names(const void *left, const void *right, void *context)
{
	const struct file_names *files = context;
	struct bytes a = files->list[*(const uint32_t *)left];
	struct bytes b = files->list[*(const uint32_t *)right];
	size_t size = a.size < b.size ? a.size : b.size;
	int order = size ? memcmp(a.data, b.data, size) : 0;

	return order ? order : compare_uint(a.size, b.size);
}

/* Makes the lists of functions in each file. */
static void list_places(struct coverage *coverage)
{
	size_t files = coverage->files->count;
	size_t i;

	coverage->in_file_start = allocate(files + 1, sizeof(*coverage->in_file_start));
	coverage->in_file = allocate(coverage->place_count, sizeof(*coverage->in_file));
	coverage->sources = allocate(files, sizeof(*coverage->sources));
	for (i = 0; i < coverage->place_count; i++)
		coverage->in_file_start[coverage->places[i].file + 1]++;
	for (i = 0; i < files; i++) {
		if (coverage->in_file_start[i + 1])
			coverage->sources[coverage->source_count++] = (uint32_t)i;
		coverage->in_file_start[i + 1] += coverage->in_file_start[i];
	}
	/*
	 * The functions of a file keep their order. Each start moves to the end of its list, which is the start of the
	 * next list.
	 */
	coverage->in_file_stored = allocate(coverage->storing ? coverage->place_count : 0, sizeof(struct bytes));
	for (i = 0; i < coverage->place_count; i++) {
		size_t at = coverage->in_file_start[coverage->places[i].file]++;

		coverage->in_file[at] = coverage->places[i].function;
		if (coverage->storing)
			coverage->in_file_stored[at] = coverage->places[i].stored;
	}
	memmove(coverage->in_file_start + 1, coverage->in_file_start, files * sizeof(*coverage->in_file_start));
	coverage->in_file_start[0] = 0;
	free(coverage->places);
	coverage->places = NULL;
}

/*
 * Lists the functions by main file, line and column. The sort keeps the order of equal keys, so the least important key
 * comes first.
 */
static void list_by_main_file(struct coverage *coverage)
{
	uint64_t *keys = allocate(coverage->count, sizeof(*keys));
	uint32_t *list = allocate(coverage->count, sizeof(*list));
	struct radix radix = {NULL, 0};
	size_t count = 0;
	size_t i;

	for (i = 0; i < coverage->count; i++) {
		keys[i] = coverage->functions[i].column;
		if (coverage->functions[i].main_file != FILE_NONE)
			list[count++] = (uint32_t)i;
	}
	radix_sort(&radix, keys, list, count);
	for (i = 0; i < coverage->count; i++)
		keys[i] = (uint64_t)coverage->functions[i].main_file << 32 | coverage->functions[i].line;
	radix_sort(&radix, keys, list, count);
	coverage->by_main_file = list;
	coverage->by_main_count = count;
	free(keys);
	radix_free(&radix);
}

/* Frees the memory for adding functions. One very large function makes it large. */
static void free_work(struct coverage *coverage)
{
	function_regions_free(&coverage->scratch);
	segments_free(&coverage->segments);
	buffer_free(&coverage->stored_text);
	if (coverage->storing)
		file_coverage_free(coverage->storing);
}

void coverage_finish(struct coverage *coverage)
{
	free_work(coverage);
	list_places(coverage);
	if (coverage->source_count)
		qsort_r(coverage->sources, coverage->source_count, sizeof(*coverage->sources), compare_file_names,
			coverage->files);
	list_by_main_file(coverage);
}

const uint32_t *coverage_in_file(const struct coverage *coverage, uint32_t file, size_t *count)
{
	*count = coverage->in_file_start[file + 1] - coverage->in_file_start[file];
	return coverage->in_file + coverage->in_file_start[file];
}

void coverage_free(struct coverage *coverage)
{
	free(coverage->functions);
	free(coverage->sources);
	free(coverage->in_file_start);
	free(coverage->in_file);
	free(coverage->by_main_file);
	free(coverage->places);
	free(coverage->seen);
	free(coverage->in_file_stored);
	free_work(coverage);
	free(coverage->storing);
	arena_free(&coverage->stored);
	expansion_walk_free(&coverage->walk);
	*coverage = (struct coverage){0};
}
