/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_write.c - writes a text profile (.proftext) in the same form as llvm-profdata.
 */
#include "text.h"

#include <inttypes.h>

/* Text is collected until it has this many bytes, and then written. */
#define PIECE 65536u

struct text_writer {
	struct model *model;
	struct output *output;
	struct buffer text;
};

static void flush(struct text_writer *writer, size_t min)
{
	if (writer->text.size < min)
		return;
	output_put(writer->output, writer->text.data, writer->text.size);
	writer->text.size = 0;
}

static void add_line(struct text_writer *writer, uint64_t number)
{
	char digits[21];
	char *at = digits + sizeof(digits);

	*--at = '\n';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	buffer_add(&writer->text, at, (size_t)(digits + sizeof(digits) - at));
}

static void add_name(struct text_writer *writer, struct bytes name)
{
	buffer_add(&writer->text, name.data, name.size);
}

static void add_header(struct text_writer *writer)
{
	static const struct {
		uint64_t all; /* the line is written only if the profile has one of these variants */
		uint64_t none; /* the line is not written if the profile has one of these variants */
		const char *text;
	} line[] = {
		{BAREPROF_VARIANT_CSIR, 0, "# CSIR level Instrumentation Flag\n:csir\n"},
		{BAREPROF_VARIANT_IR, BAREPROF_VARIANT_CSIR, "# IR level Instrumentation Flag\n:ir\n"},
		{BAREPROF_VARIANT_ENTRY_FIRST, 0, "# Always instrument the function entry block\n:entry_first\n"},
		{BAREPROF_VARIANT_LOOP_ENTRIES, 0,
			"# Always instrument the loop entry blocks\n:instrument_loop_entries\n"},
		{BAREPROF_VARIANT_BYTE_COVERAGE, 0, "# Instrument block coverage\n:single_byte_coverage\n"},
	};
	uint64_t variants = writer->model->variants;
	size_t i;

	for (i = 0; i < sizeof(line) / sizeof(line[0]); i++)
		if ((variants & line[i].all) && !(variants & line[i].none))
			buffer_add_text(&writer->text, line[i].text);
}

/*
 * Writes the traces. A trace without functions would be an empty line, which readers skip. Therefore
 * such traces are left out, and text_unsupported.c reports them.
 */
static void add_traces(struct text_writer *writer)
{
	const struct model *model = writer->model;
	size_t count = 0;
	size_t i;
	size_t j;

	for (i = 0; i < model->traces.count; i++)
		count += model->traces.list[i].count != 0;
	if (!(model->variants & BAREPROF_VARIANT_TEMPORAL) || !count)
		return;
	buffer_add_text(&writer->text, ":temporal_prof_traces\n# Num Temporal Profile Traces:\n");
	add_line(writer, count);
	buffer_add_text(&writer->text, "# Temporal Profile Trace Stream Size:\n");
	add_line(writer, model->traces.stream_size);
	for (i = 0; i < model->traces.count; i++) {
		if (!model->traces.list[i].count)
			continue;
		buffer_add_text(&writer->text, "# Weight:\n");
		add_line(writer, model->traces.list[i].weight);
		for (j = 0; j < model->traces.list[i].count; j++) {
			struct bytes name = model_name(writer->model, model->traces.list[i].references[j]);

			if (text_is_item(name))
				add_name(writer, name);
			buffer_add_text(&writer->text, ",");
		}
		buffer_add_text(&writer->text, "\n");
		flush(writer, PIECE);
	}
	buffer_add_text(&writer->text, "\n");
}

static void add_value(struct text_writer *writer, unsigned int kind, const struct value *value)
{
	struct bytes name = kind == 0 ? model_name(writer->model, value->value) : (struct bytes){NULL, 0};

	/*
	 * Values of kind 0 are name hashes of functions, values of kind 1 are sizes, and values of kind 2 are name
	 * hashes of vtables. The model has the names of functions, but not the names of vtables.
	 */
	if (kind == 1)
		buffer_printf(&writer->text, "%" PRIu64, value->value);
	else if (text_is_line(name))
		add_name(writer, name);
	else
		buffer_add_text(&writer->text, TEXT_UNKNOWN);
	buffer_add_text(&writer->text, ":");
	add_line(writer, value->count);
}

static void add_values(struct text_writer *writer, const struct sites *sites)
{
	static const char *const kind_name[PROFILE_KINDS] = {"IndirectCallTarget", "MemOPSize", "VTableTarget"};
	unsigned int kind;
	uint64_t kinds = 0;
	uint32_t i;
	size_t j;

	for (kind = 0; kind < PROFILE_KINDS; kind++)
		kinds += sites->count[kind] != 0;
	if (!kinds)
		return;
	buffer_add_text(&writer->text, "# Num Value Kinds:\n");
	add_line(writer, kinds);
	for (kind = 0; kind < PROFILE_KINDS; kind++) {
		if (!sites->count[kind])
			continue;
		buffer_printf(&writer->text, "# ValueKind = IPVK_%s:\n%u\n# NumValueSites:\n", kind_name[kind], kind);
		add_line(writer, sites->count[kind]);
		for (i = 0; i < sites->count[kind]; i++) {
			add_line(writer, sites->site[kind][i].count);
			for (j = 0; j < sites->site[kind][i].count; j++)
				add_value(writer, kind, &sites->site[kind][i].values[j]);
		}
	}
}

static void add_function(struct text_writer *writer, const struct function *function)
{
	struct buffer *text = &writer->text;
	uint32_t i;

	add_name(writer, function->name);
	buffer_add_text(text, "\n# Func Hash:\n");
	add_line(writer, function->hash);
	buffer_add_text(text, "# Num Counters:\n");
	add_line(writer, function->counter_count);
	buffer_add_text(text, "# Counter Values:\n");
	for (i = 0; i < function->counter_count; i++)
		add_line(writer, function->counters[i]);
	if (function->bitmap_size) {
		buffer_printf(
			text, "# Num Bitmap Bytes:\n$%" PRIu32 "\n# Bitmap Byte Values:\n", function->bitmap_size);
		for (i = 0; i < function->bitmap_size; i++)
			buffer_printf(text, "0x%x\n", function->bitmap[i]);
		buffer_add_text(text, "\n");
	}
	if (function->sites)
		add_values(writer, function->sites);
	buffer_add_text(text, "\n");
}

enum status text_write(struct model *model, struct output *output)
{
	struct text_writer writer = {.model = model, .output = output};
	size_t i;

	add_header(&writer);
	add_traces(&writer);
	for (i = 0; i < model->count; i++) {
		if (model->functions[i].counter_count && text_is_line(model->functions[i].name))
			add_function(&writer, &model->functions[i]);
		flush(&writer, PIECE);
	}
	flush(&writer, 0);
	buffer_free(&writer.text);
	return output->status;
}
