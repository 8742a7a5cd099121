/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_flame.c - writes a flame graph as one page of HTML. */
#include "flame_page.h"
#include "sample_show.h"
#include "utf8.h"
#include "xml.h"

#include <inttypes.h>

/* Appends a string of JSON. No character in it can end the element of HTML in which it is. */
static void add_string(struct buffer *html, const char *string)
{
	struct bytes text = {(const uint8_t *)string, strlen(string)};

	buffer_add_text(html, "\"");
	while (text.size) {
		size_t n = utf8_length(text);
		uint8_t c = text.data[0];

		if (!n || c < 0x20 || c == 0x7f || strchr("\"\\<>&", c))
			buffer_printf(html, "\\u%04x", (unsigned int)c);
		else
			buffer_add(html, text.data, n);
		n = n ? n : 1;
		text.data += n;
		text.size -= n;
	}
	buffer_add_text(html, "\"");
}

/* Returns whether two stacks have the same @depth outermost functions. */
static bool same_start(
	const struct sample_stacks *stacks, const struct sample_stack *a, const struct sample_stack *b, size_t depth)
{
	return a->depth >= depth && b->depth >= depth &&
	       !memcmp(stacks->frames + a->first, stacks->frames + b->first, depth * sizeof(*stacks->frames));
}

/* Returns the samples of all stacks from @from on that have the same @depth outermost functions. */
static uint64_t count_from(const struct sample_stacks *stacks, size_t from, size_t depth)
{
	uint64_t sum = 0;
	size_t i;

	for (i = from; i < stacks->count && same_start(stacks, &stacks->list[from], &stacks->list[i], depth); i++)
		sum = add_saturating(sum, stacks->list[i].count);
	return sum;
}

static void add_nodes(struct buffer *html, const struct sample_stacks *stacks)
{
	size_t i;

	/* The name of the outermost box follows those of the functions. */
	buffer_printf(html, "0,%zu,%" PRIu64, stacks->name_count, stacks->count ? count_from(stacks, 0, 0) : 0);
	for (i = 0; i < stacks->count; i++) {
		const struct sample_stack *stack = &stacks->list[i];
		size_t depth = 0;

		while (i && same_start(stacks, stack - 1, stack, depth + 1))
			depth++;
		for (; depth < stack->depth; depth++)
			buffer_printf(html, ",%zu,%zu,%" PRIu64, depth + 1, stacks->frames[stack->first + depth],
				count_from(stacks, i, depth + 1));
	}
}

void sample_flame_graph(struct buffer *html, const struct sample_stacks *stacks, const char *title)
{
	struct bytes name = {(const uint8_t *)title, strlen(title)};
	size_t i;

	buffer_add_text(html, flame_page_start);
	xml_add(html, name, XML_CONTENT);
	buffer_add_text(html, flame_page_style);
	xml_add(html, name, XML_CONTENT);
	buffer_add_text(html, flame_page_body);
	buffer_add_text(html, "{\"names\":[");
	for (i = 0; i < stacks->name_count; i++) {
		add_string(html, stacks->names[i]);
		buffer_add_text(html, ",");
	}
	buffer_add_text(html, "\"all samples\"],\"nodes\":[");
	add_nodes(html, stacks);
	buffer_add_text(html, "]}");
	buffer_add_text(html, flame_page_script);
}
