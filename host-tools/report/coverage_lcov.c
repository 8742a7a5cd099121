/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_lcov.c - writes LCOV's text. For each file, the text has these lines:
 *
 * - SF:file
 * - FN:line,function and FNDA:executions,function for each instantiation, then FNF: and FNH:, the numbers of functions
 *   and of functions that ran
 * - DA:line,executions for each executable line
 * - BRDA:line,condition,branch,executions for each branch. A condition has two branches. If the condition was never
 *   evaluated, there is "-" instead of a number.
 * - BRF: and BRH:, the numbers of branches and of branches that were taken, then LF: and LH:, those of lines
 * - end_of_record
 */
#include "branch_order.h"
#include "coverage_lcov.h"
#include "decimal.h"

struct writer {
	const struct coverage_selection *selection;
	const struct lcov_options *options;
	struct output *output;
	struct buffer text;
	struct file_coverage file;
	struct branch_order order;
	uint64_t lines; /* number of executable lines in all files */
};

static void add_number(struct writer *writer, uint64_t number, char after)
{
	buffer_add_number(&writer->text, number, 10);
	buffer_add(&writer->text, &after, 1);
}

static void add_name(struct writer *writer, struct bytes name)
{
	buffer_add(&writer->text, name.data, name.size);
	buffer_add(&writer->text, "\n", 1);
}

/* Writes the two numbers of @rate, each after its key. */
static void add_rate(struct writer *writer, const char *total, const char *covered, struct rate rate)
{
	buffer_add_text(&writer->text, total);
	add_number(writer, rate.total, '\n');
	buffer_add_text(&writer->text, covered);
	add_number(writer, rate.covered, '\n');
}

static void add_functions(struct writer *writer, uint32_t file)
{
	const struct coverage *coverage = writer->selection->coverage;
	unsigned int step;
	size_t count;
	size_t i;
	const uint32_t *list = coverage_in_file(coverage, file, &count);

	for (step = 0; step < 2; step++) {
		for (i = 0; i < count; i++) {
			const struct coverage_function *function = &coverage->functions[list[i]];

			if (function->file != file || !selection_has(writer->selection, function))
				continue;
			buffer_add_text(&writer->text, step ? "FNDA:" : "FN:");
			add_number(writer, step ? function->executions : function->first_line, ',');
			add_name(writer, function->name);
			text_flush_full(&writer->text, writer->output);
		}
	}
}

/*
 * Starts a line of text that has at most @size bytes. The caller writes it at the returned address, and passes its end to
 * line_end(). Most of the text is lines and branches, so this has to be fast.
 */
static uint8_t *line_start(struct writer *writer, size_t size)
{
	text_flush_full(&writer->text, writer->output);
	buffer_reserve(&writer->text, size);
	return writer->text.data + writer->text.size;
}

static void line_end(struct writer *writer, uint8_t *at)
{
	*at++ = '\n';
	writer->text.size = (size_t)(at - writer->text.data);
}

static void add_lines(struct writer *writer)
{
	struct line_walk walk = {.segments = &writer->file.segments, .rules = &writer->selection->coverage->rules};

	while (lines_next(&walk)) {
		uint64_t line;

		for (line = walk.line; walk.mapped && line < walk.line + walk.repeat; line++) {
			uint8_t *at = line_start(writer, sizeof("DA:,\n") + 2 * DECIMAL_MAX);

			memcpy(at, "DA:", 3);
			at = decimal_put(at + 3, line);
			*at++ = ',';
			line_end(writer, decimal_put(at, walk.count));
		}
	}
}

static void add_branch(struct writer *writer, uint32_t line, uint64_t branch, const uint32_t taken[2])
{
	uint8_t *at = line_start(writer, sizeof("BRDA:,,,\n") + 4 * DECIMAL_MAX);

	memcpy(at, "BRDA:", 5);
	at = decimal_put(at + 5, line);
	*at++ = ',';
	at = decimal_put(at, branch / 2);
	*at++ = ',';
	at = decimal_put(at, branch);
	*at++ = ',';
	if (taken[0] || taken[1])
		at = decimal_put(at, taken[branch % 2]);
	else
		*at++ = '-';
	line_end(writer, at);
}

static void add_branches(struct writer *writer)
{
	struct branch_order *order = &writer->order;
	uint64_t branch = 0;
	size_t i;

	branch_order_make(order, &writer->file, &writer->selection->coverage->rules);
	for (i = 0; i < order->count; i++) {
		const struct branch_counts *counts = &order->list[i];
		/* llvm-cov has only 32 bits for the counts of branches. */
		uint32_t taken[2] = {(uint32_t)counts->true_count, (uint32_t)counts->false_count};

		branch = i && counts->line == counts[-1].line ? branch + 2 : 0;
		add_branch(writer, counts->line, branch, taken);
		add_branch(writer, counts->line, branch + 1, taken);
	}
}

static enum status write_file(struct writer *writer, uint32_t file, struct error *error)
{
	const struct coverage_selection *selection = writer->selection;
	const struct lcov_options *options = writer->options;
	struct coverage_summary summary;

	buffer_add(&writer->text, "SF:", 3);
	add_name(writer, selection_name(selection, file));
	if (!options->summary_only && !options->skip_functions)
		add_functions(writer, file);
	coverage_file_summary(selection->coverage, file, selection->filter, selection->context, &summary);
	add_rate(writer, "FNF:", "FNH:", summary.rate[RATE_FUNCTIONS]);
	if (!options->summary_only) {
		coverage_file(selection->coverage, file, selection->filter, selection->context, &writer->file);
		if (!selection_lines(selection, &writer->file.segments, &writer->lines, error))
			return STATUS_INVALID_INPUT;
		add_lines(writer);
		if (!options->skip_branches)
			add_branches(writer);
	}
	if (!options->skip_branches)
		add_rate(writer, "BRF:", "BRH:", summary.rate[RATE_BRANCHES]);
	add_rate(writer, "LF:", "LH:", summary.rate[RATE_LINES]);
	buffer_add_text(&writer->text, "end_of_record\n");
	text_flush_full(&writer->text, writer->output);
	return STATUS_OK;
}

enum status coverage_lcov_write(const struct coverage_selection *selection, const struct lcov_options *options,
	struct output *output, struct error *error)
{
	struct writer writer = {.selection = selection, .options = options, .output = output};
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < selection->file_count && status == STATUS_OK; i++)
		status = write_file(&writer, selection->files[i], error);
	text_flush(&writer.text, output);
	buffer_free(&writer.text);
	file_coverage_free(&writer.file);
	branch_order_free(&writer.order);
	return status;
}
