/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_unsupported.c - lists the data that a text profile cannot hold.
 */
#include "text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* The list shows at most this many bytes of a name. */
#define NAME_SHOWN 200u

static void add_to_list(struct buffer *text, const char *what)
{
	buffer_printf(text, "%s%s", text->size ? ", " : "", what);
}

static bool is_number(struct bytes name)
{
	size_t i = 0;

	while (i < name.size && isdigit(name.data[i]))
		i++;
	return i == name.size;
}

/*
 * A name such as "#a" or "12" is refused, because readers would read the line as a comment or a number. In text
 * profiles, names cannot be quoted.
 */
bool text_is_line(struct bytes name)
{
	return name.size && !strchr("#:$", name.data[0]) && !memchr(name.data, 0, name.size) &&
	       !memchr(name.data, '\n', name.size) && !memchr(name.data, '\r', name.size) && !is_number(name) &&
	       (name.size != strlen(TEXT_UNKNOWN) || memcmp(name.data, TEXT_UNKNOWN, name.size));
}

bool text_is_item(struct bytes name)
{
	return text_is_line(name) && !memchr(name.data, ',', name.size) && !isspace(name.data[0]) &&
	       !isspace(name.data[name.size - 1]);
}

/* The number of names that cannot be written for the same reason, and the first of these names. */
struct examples {
	uint64_t count;
	struct bytes first;
};

static void add_example(struct examples *examples, struct bytes name)
{
	if (!examples->count++)
		examples->first = name;
}

static void add_examples(struct buffer *text, const char *what, const struct examples *examples)
{
	if (!examples->count)
		return;
	add_to_list(text, what);
	buffer_printf(text, " (%" PRIu64, examples->count);
	if (examples->first.size)
		buffer_printf(text, ", for example '%.*s'",
			(int)(examples->first.size < NAME_SHOWN ? examples->first.size : NAME_SHOWN),
			(const char *)examples->first.data);
	buffer_add_text(text, ")");
}

void text_unsupported(struct model *model, struct buffer *list)
{
	struct examples empty = {0};
	struct examples unsaid = {0};
	struct examples unnamed = {0};
	struct examples hollow = {0};
	size_t i;
	size_t j;

	for (i = 0; i < model->count; i++) {
		if (!model->functions[i].counter_count)
			add_example(&empty, model->functions[i].name);
		else if (!text_is_line(model->functions[i].name))
			add_example(&unsaid, model->functions[i].name);
	}
	for (i = 0; i < model->traces.count; i++) {
		if (!model->traces.list[i].count)
			add_example(&hollow, (struct bytes){NULL, 0});
		for (j = 0; j < model->traces.list[i].count; j++) {
			struct bytes name = model_name(model, model->traces.list[i].references[j]);

			if (!name.size)
				add_example(&unnamed, name);
			else if (text_is_line(name) && !text_is_item(name))
				add_example(&unsaid, name);
		}
	}
	add_examples(list, "functions without counters", &empty);
	add_examples(list, "functions whose names cannot be written as a line of text", &unsaid);
	add_examples(list, "temporal traces without functions", &hollow);
	add_examples(list, "functions in temporal traces whose names are not in the profile", &unnamed);
	if (model->memprof.inputs)
		add_to_list(list, "the memory profile (memprof)");
}
