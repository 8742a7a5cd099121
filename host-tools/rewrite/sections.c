// SPDX-License-Identifier: BSD-2-Clause
/*
 * sections.c - follows the directives that switch sections, and finds the section of each line.
 */
#include "assembly.h"

#include <stdlib.h>

/* The assembler's state: the current and the previous section, which .previous exchanges. */
struct state {
	uint32_t current;
	uint32_t previous;
};

/* Sections are found by hash; a chain links sections whose hashes have the same lower bits. */
#define CHAINS 4096

struct tracker {
	struct assembly *assembly;
	uint32_t chains[CHAINS]; /* the index of the first section of each chain, plus 1 */
	size_t room;
	struct state state;
	struct state *stack;
	size_t depth;
	size_t stack_room;
};

static struct bytes take_operand(struct bytes *operands)
{
	struct bytes operand = {operands->data, 0};
	bool quoted = false;

	while (operand.size < operands->size && (quoted || operands->data[operand.size] != ',')) {
		if (quoted && operands->data[operand.size] == '\\' && operand.size + 1 < operands->size)
			operand.size++;
		else if (operands->data[operand.size] == '"')
			quoted = !quoted;
		operand.size++;
	}
	operands->data += operand.size;
	operands->size -= operand.size;
	if (operands->size) {
		operands->data++;
		operands->size--;
	}
	return trimmed(operand);
}

/*
 * Reads operands such as .text.f,"axG",@progbits,f,comdat. Sections with the same name differ if they are in a group or
 * have an operand "unique". The group follows the type and, if there are flags M and o, their operands.
 */
static struct section read_section(struct bytes operands)
{
	struct section section = {.name = take_operand(&operands)};
	struct bytes flags = take_operand(&operands);
	bool group = flags.size && memchr(flags.data, 'G', flags.size);
	size_t skip = 1;

	if (!flags.size || flags.data[0] != '"')
		return section;
	if (group || (operands.size && memmem(operands.data, operands.size, "unique", strlen("unique"))))
		section.key = trimmed(operands);
	skip += memchr(flags.data, 'M', flags.size) != NULL;
	while (skip--)
		take_operand(&operands);
	if (group)
		section.group = take_operand(&operands);
	return section;
}

static bool same(const struct section *a, const struct section *b)
{
	return bytes_equal(a->name, b->name) && bytes_equal(a->key, b->key);
}

static uint32_t hash(struct bytes bytes, uint32_t value)
{
	size_t i;

	for (i = 0; i < bytes.size; i++)
		value = (value ^ bytes.data[i]) * 16777619u;
	return value;
}

static uint32_t find_section(struct tracker *tracker, struct section section)
{
	struct assembly *assembly = tracker->assembly;
	uint32_t *chain = &tracker->chains[hash(section.key, hash(section.name, 2166136261u)) % CHAINS];
	uint32_t i;

	for (i = *chain; i; i = assembly->sections[i - 1].next)
		if (same(&assembly->sections[i - 1], &section))
			return i - 1;
	assembly->sections =
		array_grow(assembly->sections, assembly->section_count, &tracker->room, sizeof(*assembly->sections));
	section.next = *chain;
	assembly->sections[assembly->section_count++] = section;
	*chain = (uint32_t)assembly->section_count;
	return *chain - 1;
}

static void enter(struct tracker *tracker, struct section section)
{
	uint32_t index = find_section(tracker, section);

	tracker->state.previous = tracker->state.current;
	tracker->state.current = index;
}

static void push(struct tracker *tracker, struct section section)
{
	tracker->stack = array_grow(tracker->stack, tracker->depth, &tracker->stack_room, sizeof(*tracker->stack));
	tracker->stack[tracker->depth++] = tracker->state;
	enter(tracker, section);
}

static void follow(struct tracker *tracker, struct bytes word, struct bytes operands)
{
	uint32_t current = tracker->state.current;

	if (bytes_are(word, ".section")) {
		enter(tracker, read_section(operands));
	} else if (bytes_are(word, ".text") || bytes_are(word, ".data") || bytes_are(word, ".bss")) {
		enter(tracker, (struct section){.name = word});
	} else if (bytes_are(word, ".pushsection")) {
		push(tracker, read_section(operands));
	} else if (bytes_are(word, ".popsection")) {
		if (tracker->depth)
			tracker->state = tracker->stack[--tracker->depth];
	} else if (bytes_are(word, ".previous")) {
		tracker->state.current = tracker->state.previous;
		tracker->state.previous = current;
	}
}

/* In inline assembly, a line can have several statements, which semicolons separate. */
static void follow_statements(struct tracker *tracker, struct bytes text)
{
	bool quoted = false;
	size_t begin = 0, i;

	for (i = 0; i <= text.size; i++) {
		struct bytes statement, word;

		if (i < text.size && text.data[i] == '"')
			quoted = !quoted;
		if (i < text.size && (quoted || text.data[i] != ';'))
			continue;
		statement = trimmed((struct bytes){text.data + begin, i - begin});
		begin = i + 1;
		word = (struct bytes){statement.data, 0};
		while (word.size < statement.size && statement.data[word.size] != ' ' &&
			statement.data[word.size] != '\t')
			word.size++;
		statement.data += word.size;
		statement.size -= word.size;
		follow(tracker, word, trimmed(statement));
	}
}

void sections_find(struct assembly *assembly)
{
	struct tracker *tracker = allocate(1, sizeof(*tracker));
	struct state before = {0, 0};
	bool in_function = false;
	size_t i;

	tracker->assembly = assembly;
	find_section(tracker, (struct section){.name = {(const uint8_t *)".text", strlen(".text")}});
	for (i = 0; i < assembly->line_count; i++) {
		struct line *line = &assembly->lines[i];
		bool begins = line->by_user && (!i || !line[-1].by_user);
		bool ends = line->by_user && (i + 1 == assembly->line_count || !line[1].by_user);

		if (begins)
			before = tracker->state;
		if (line->by_user)
			follow_statements(tracker, line->text);
		else if (line->kind == LINE_DIRECTIVE)
			follow(tracker, line->word, line->operands);
		/*
		 * Inline assembly in a function must return to the section of the function. A macro of the user may
		 * contain the directive that returns, and this file does not expand macros.
		 */
		if (ends && in_function)
			tracker->state = before;
		if (line_is(line, ".type") && !line->by_user)
			in_function = true;
		if (line_is(line, ".size") && !line->by_user)
			in_function = false;
		line->section = tracker->state.current;
	}
	free(tracker->stack);
	free(tracker);
}
