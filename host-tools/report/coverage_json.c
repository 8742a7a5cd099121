/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_json.c - writes llvm-cov's JSON. Keys are sorted, because LLVM sorts them. Regions and other things are
 * arrays of numbers. The numbers of a region are its location, its count, its file, the file of its expansion, and its
 * kind.
 */
#include "coverage_json.h"
#include "expansion_walk.h"
#include "json_text.h"

#include <stdlib.h>

struct writer {
	const struct coverage_selection *selection;
	const struct coverage_json_options *options;
	const struct coverage_rules *rules;
	struct output *output;
	struct buffer text;
	struct file_coverage file;
	struct function_regions regions;
	struct expansion_walk walk;
	bool comma; /* the list that is being written has an element */
};

/* Starts an element of a list. */
static void next_element(struct writer *writer)
{
	if (writer->comma)
		buffer_add(&writer->text, ",", 1);
	writer->comma = true;
	text_flush_full(&writer->text, writer->output);
}

static void open_list(struct writer *writer, const char *key)
{
	buffer_add_text(&writer->text, key);
	writer->comma = false;
}

static void add_array(struct writer *writer, const uint64_t *numbers, size_t count)
{
	next_element(writer);
	buffer_add(&writer->text, "[", 1);
	json_text_numbers(&writer->text, numbers, count);
	buffer_add(&writer->text, "]", 1);
}

/* Writes a region that is not a condition. */
static void add_region(struct writer *writer, const struct region *region)
{
	const uint64_t numbers[] = {region->line, region->column, region->end_line, region->end_column, region->count,
		region->file, region->expanded, region->kind};

	add_array(writer, numbers, 8);
}

static void add_branch(struct writer *writer, const struct region *region)
{
	const uint64_t numbers[] = {region->line, region->column, region->end_line, region->end_column, region->count,
		region->false_count, region->file, region->expanded, region->kind};

	add_array(writer, numbers, 9);
}

static bool is_condition(const struct region *region)
{
	return region->kind == REGION_BRANCH || region->kind == REGION_CONDITION;
}

/* Writes the conditions of the function in @count regions from @first on, without those that are constant. */
static void add_branches(struct writer *writer, size_t first, size_t count)
{
	size_t i;

	for (i = first; i < first + count; i++) {
		const struct region *region = &writer->regions.list[i];

		if (is_condition(region) && !(region->folded[0] && region->folded[1]))
			add_branch(writer, region);
	}
}

/* Writes all regions of the function that are neither conditions nor decisions. */
static void add_regions(struct writer *writer)
{
	size_t i;

	for (i = 0; i < writer->regions.count; i++) {
		const struct region *region = &writer->regions.list[i];

		if (!is_condition(region) && region->kind != REGION_DECISION)
			add_region(writer, region);
	}
}

static void add_file_names(struct writer *writer)
{
	size_t i;

	open_list(writer, "\"filenames\":[");
	for (i = 0; i < writer->regions.file_count; i++) {
		next_element(writer);
		json_text_string(&writer->text, selection_name(writer->selection, writer->regions.files[i].name));
	}
	buffer_add(&writer->text, "]", 1);
}

/* Writes the test vectors of a decision. */
static void add_vectors(struct writer *writer, const struct mcdc_result *result)
{
	struct buffer *text = &writer->text;
	uint32_t vector;
	uint32_t i;

	for (vector = 0; vector < result->false_vectors + result->true_vectors; vector++) {
		buffer_add_text(text, vector ? ",{\"conditions\":[" : "{\"conditions\":[");
		for (i = 0; i < result->condition_count; i++) {
			enum mcdc_state state = mcdc_state(result, vector, i);

			buffer_add(text, ",", i > 0);
			buffer_add_text(text, state == MCDC_TRUE ? "true" : state == MCDC_FALSE ? "false" : "null");
		}
		buffer_add_text(text, "],\"executed\":true,\"result\":");
		buffer_add_text(text, vector < result->false_vectors ? "false}" : "true}");
		text_flush_full(text, writer->output);
	}
}

static void add_decision(struct writer *writer, const struct file_decision *decision)
{
	const struct region *region = &decision->region;
	const struct mcdc_result *result = &decision->result;
	const uint64_t place[] = {region->line, region->column, region->end_line, region->end_column};
	const uint64_t vectors[] = {result->true_vectors, result->false_vectors, region->file};
	const uint64_t last[] = {region->expanded, region->kind};
	struct buffer *text = &writer->text;
	uint32_t i;

	next_element(writer);
	buffer_add(text, "[", 1);
	json_text_numbers(text, place, 4);
	buffer_add(text, ",", 1);
	if (writer->rules->release >= 21) {
		json_text_numbers(text, vectors, 3);
		buffer_add(text, ",", 1);
	}
	json_text_numbers(text, last, 2);
	buffer_add_text(text, ",[");
	for (i = 0; i < result->condition_count; i++) {
		buffer_add(text, ",", i > 0);
		buffer_add_text(text, result->conditions[i].pair[0] ? "true" : "false");
	}
	buffer_add(text, "]", 1);
	if (writer->rules->release >= 22) {
		buffer_add_text(text, ",[");
		add_vectors(writer, result);
		buffer_add(text, "]", 1);
	}
	buffer_add(text, "]", 1);
}

/* Writes the decisions in writer->file, with a comma after them. */
static void add_decisions(struct writer *writer)
{
	size_t i;

	if (!writer->rules->has_mcdc)
		return;
	open_list(writer, "\"mcdc_records\":[");
	for (i = 0; i < writer->file.decision_count; i++)
		add_decision(writer, &writer->file.decisions[i]);
	buffer_add_text(&writer->text, "],");
}

static void add_summary(struct writer *writer, const struct coverage_summary *summary)
{
	static const struct {
		const char *key;
		unsigned int rate;
		bool missed;
	} parts[] = {
		{"branches", RATE_BRANCHES, true},
		{"functions", RATE_FUNCTIONS, false},
		{"instantiations", RATE_INSTANTIATIONS, false},
		{"lines", RATE_LINES, false},
		{"mcdc", RATE_CONDITIONS, true},
		{"regions", RATE_REGIONS, true},
	};
	struct buffer *text = &writer->text;
	size_t i;

	buffer_add(text, "{", 1);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct rate rate = summary->rate[parts[i].rate];
		uint64_t missed = rate.total - rate.covered;

		if (parts[i].rate == RATE_CONDITIONS && !writer->rules->has_mcdc)
			continue;
		buffer_printf(text, "%s\"%s\":{\"count\":", i ? "," : "", parts[i].key);
		json_text_numbers(text, &rate.total, 1);
		buffer_add_text(text, ",\"covered\":");
		json_text_numbers(text, &rate.covered, 1);
		if (parts[i].missed) {
			buffer_add_text(text, ",\"notcovered\":");
			json_text_numbers(text, &missed, 1);
		}
		buffer_add_text(text, ",\"percent\":");
		json_text_percent(text, rate.covered, rate.total);
		buffer_add(text, "}", 1);
	}
	buffer_add(text, "}", 1);
}

/* Called for each expansion in an expansion. */
static void visit_expansion(struct expansion_walk *walk, uint32_t file, const uint32_t *path, size_t depth)
{
	const struct function_file *in = &walk->regions->files[file];

	(void)path;
	(void)depth;
	add_branches(walk->context, in->first, in->count);
}

/* Writes the expansion with the index @i in the regions of the function. */
static void add_expansion(struct writer *writer, uint32_t i)
{
	struct buffer *text = &writer->text;

	next_element(writer);
	open_list(writer, "{\"branches\":[");
	expansion_inside(&writer->walk, i);
	buffer_add_text(text, "],");
	add_file_names(writer);
	open_list(writer, ",\"source_region\":");
	add_region(writer, &writer->regions.list[i]);
	open_list(writer, ",\"target_regions\":[");
	add_regions(writer);
	buffer_add_text(text, "]}");
	writer->comma = true;
}

/* Writes the expansions in the file @file, with a comma after them. A function has them in its main file only. */
static void add_expansions(struct writer *writer, uint32_t file)
{
	struct coverage *coverage = writer->selection->coverage;
	size_t count;
	size_t n;
	const uint32_t *list = coverage_in_file(coverage, file, &count);

	open_list(writer, "\"expansions\":[");
	for (n = 0; n < count; n++) {
		const struct coverage_function *function = &coverage->functions[list[n]];
		size_t main_file;
		uint32_t i;

		if (function->main_file != file || !selection_has(writer->selection, function))
			continue;
		coverage_regions(coverage, function, &writer->regions);
		main_file = regions_main_file(&writer->regions);
		for (i = 0; i < writer->regions.count; i++)
			if (writer->regions.list[i].kind == REGION_EXPANSION &&
				writer->regions.list[i].file == main_file)
				add_expansion(writer, i);
	}
	buffer_add_text(&writer->text, "],");
}

static void add_segments(struct writer *writer)
{
	static const char *const flags[] = {"false", "true"};
	const struct segments *segments = &writer->file.segments;
	size_t i;

	open_list(writer, "\"segments\":[");
	for (i = 0; i < segments->count; i++) {
		const struct segment *segment = &segments->list[i];
		const uint64_t numbers[] = {segment->line, segment->column, segment->count};
		const bool has[] = {segment->has_count, segment->is_entry, segment->is_gap};
		unsigned int flag;

		next_element(writer);
		buffer_add(&writer->text, "[", 1);
		json_text_numbers(&writer->text, numbers, 3);
		for (flag = 0; flag < 3; flag++) {
			buffer_add(&writer->text, ",", 1);
			buffer_add_text(&writer->text, flags[has[flag]]);
		}
		buffer_add(&writer->text, "]", 1);
	}
	buffer_add_text(&writer->text, "],");
}

static void add_file(struct writer *writer, uint32_t file, struct coverage_summary *total)
{
	const struct coverage_selection *selection = writer->selection;
	bool whole = !writer->options->summary_only;
	struct buffer *text = &writer->text;
	struct coverage_summary summary;
	size_t i;

	next_element(writer);
	buffer_add(text, "{", 1);
	if (whole) {
		coverage_file(selection->coverage, file, selection->filter, selection->context, &writer->file);
		open_list(writer, "\"branches\":[");
		/* In contrast to functions and expansions, files have conditions that are constant. */
		for (i = 0; i < writer->file.branch_count; i++)
			add_branch(writer, &writer->file.branches[i].region);
		buffer_add_text(text, "],");
	}
	if (whole && !writer->options->skip_expansions)
		add_expansions(writer, file);
	buffer_add_text(text, "\"filename\":");
	json_text_string(text, selection_name(selection, file));
	buffer_add(text, ",", 1);
	if (whole) {
		add_decisions(writer);
		add_segments(writer);
	}
	buffer_add_text(text, "\"summary\":");
	coverage_file_summary(selection->coverage, file, selection->filter, selection->context, &summary);
	summary_add(total, &summary);
	add_summary(writer, &summary);
	buffer_add(text, "}", 1);
	writer->comma = true;
}

static void add_function(struct writer *writer, const struct coverage_function *function)
{
	struct coverage *coverage = writer->selection->coverage;
	struct buffer *text = &writer->text;

	next_element(writer);
	coverage_regions(coverage, function, &writer->regions);
	open_list(writer, "{\"branches\":[");
	add_branches(writer, 0, writer->regions.count);
	buffer_add_text(text, "],\"count\":");
	json_text_numbers(text, &function->executions, 1);
	buffer_add(text, ",", 1);
	add_file_names(writer);
	buffer_add(text, ",", 1);
	if (writer->rules->has_mcdc) {
		file_coverage_start(&writer->file, coverage);
		coverage_decisions(coverage, function, &writer->regions, FILE_NONE, &writer->file);
		add_decisions(writer);
	}
	buffer_add_text(text, "\"name\":");
	json_text_string(text, function->name);
	open_list(writer, ",\"regions\":[");
	add_regions(writer);
	buffer_add_text(text, "]}");
	writer->comma = true;
}

/* A file, and its name as it is in JSON. */
struct sorted_file {
	struct buffer name;
	uint32_t file;
};

static int compare_files(const void *left, const void *right)
{
	const struct buffer *a = &((const struct sorted_file *)left)->name;
	const struct buffer *b = &((const struct sorted_file *)right)->name;
	size_t n = a->size < b->size ? a->size : b->size;
	int order = n ? memcmp(a->data, b->data, n) : 0;

	return order ? order : compare_uint(a->size, b->size);
}

/* Writes the files. LLVM sorts them after it replaced bytes that are not UTF-8. */
static void add_files(struct writer *writer, struct coverage_summary *total)
{
	const struct coverage_selection *selection = writer->selection;
	struct sorted_file *list = allocate(selection->file_count, sizeof(*list));
	size_t i;

	for (i = 0; i < selection->file_count; i++) {
		list[i].file = selection->files[i];
		utf8_repair(&list[i].name, selection_name(selection, list[i].file));
	}
	if (selection->file_count)
		qsort(list, selection->file_count, sizeof(*list), compare_files);
	open_list(writer, "\"files\":[");
	for (i = 0; i < selection->file_count; i++) {
		add_file(writer, list[i].file, total);
		buffer_free(&list[i].name);
	}
	buffer_add(&writer->text, "]", 1);
	free(list);
}

void coverage_json_write(
	const struct coverage_selection *selection, const struct coverage_json_options *options, struct output *output)
{
	struct coverage *coverage = selection->coverage;
	struct writer writer = {
		.selection = selection, .options = options, .rules = &coverage->rules, .output = output};
	struct coverage_summary total = {0};
	size_t i;

	writer.walk = (struct expansion_walk){.regions = &writer.regions, .visit = visit_expansion, .context = &writer};
	buffer_add_text(&writer.text, "{\"data\":[{");
	add_files(&writer, &total);
	if (!options->summary_only && !options->skip_functions) {
		open_list(&writer, ",\"functions\":[");
		for (i = 0; i < coverage->count; i++)
			if (selection_has(selection, &coverage->functions[i]))
				add_function(&writer, &coverage->functions[i]);
		buffer_add(&writer.text, "]", 1);
	}
	buffer_add_text(&writer.text, ",\"totals\":");
	add_summary(&writer, &total);
	buffer_printf(&writer.text, "}],\"type\":\"llvm.coverage.json.export\",\"version\":\"%s\"}",
		writer.rules->release >= 22   ? "3.1.0"
		: writer.rules->release == 21 ? "3.0.1"
					      : "2.0.1");
	text_flush(&writer.text, output);
	expansion_walk_free(&writer.walk);
	buffer_free(&writer.text);
	file_coverage_free(&writer.file);
	function_regions_free(&writer.regions);
}
