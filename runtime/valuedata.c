/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * valuedata.c - the last part of a .profraw: for each record that has value sites
 * which values were seen there, and how often.
 */
#include <bareprof/values.h>

#include "window.h"

#define WIDTH ((unsigned int)sizeof(uintptr_t))
/* A site's number of values is a byte. */
#define VALUES_MOST 255u

typedef uint16_t __attribute__((may_alias)) any_u16;
typedef struct bareprof_node *const *__attribute__((may_alias)) any_heads;

static uint8_t length(const struct bareprof_node *node)
{
	unsigned int n = 0;

	for (; node && n < VALUES_MOST; node = node->next)
		n++;
	return (uint8_t)n;
}

/* The sites of one kind of value. Returns their bytes; with a window, passes them. */
static uint32_t pass_kind(struct bareprof_window *window, const struct bareprof_image *image, any_heads heads,
	uint32_t kind, uint32_t sites)
{
	uint32_t field[2];
	uint32_t size = 8 + sites + BAREPROF_PAD8(sites);
	uint32_t i;

	field[0] = kind;
	field[1] = sites;
	if (window)
		bareprof_pass(window, field, sizeof(field));
	for (i = 0; i < sites; i++) {
		uint8_t n = heads ? length(heads[i]) : 0;

		size += n * 16u;
		if (window)
			bareprof_pass(window, &n, 1);
	}
	if (!window)
		return size;
	bareprof_pass(window, &image->facts.zero, BAREPROF_PAD8(sites));
	for (i = 0; i < sites && heads; i++) {
		const struct bareprof_node *node = heads[i];
		unsigned int n = VALUES_MOST;

		for (; node && n; node = node->next, n--)
			bareprof_pass(window, node, 16);
	}
	return size;
}

static void pass_record(struct bareprof_window *window, const struct bareprof_image *image, const uint8_t *record)
{
	unsigned int version = (uint8_t)image->version;
	const any_u16 *sites = (const any_u16 *)(record + BAREPROF_RECORD_VALUE_SITES(version, WIDTH));
	uint32_t field[2];
	struct bareprof_window *to = NULL;

	/* Once for the size, once for the bytes. */
	do {
		any_heads heads = *(any_heads const *)(record + BAREPROF_RECORD_VALUES_PTR(version, WIDTH));
		uint32_t size = 8;
		uint32_t kinds = 0;
		unsigned int kind;

		if (to)
			bareprof_pass(to, field, sizeof(field));
		for (kind = 0; kind < BAREPROF_VALUE_KINDS(version); kind++) {
			if (!sites[kind])
				continue;
			kinds++;
			size += pass_kind(to, image, heads, kind, sites[kind]);
			if (heads)
				heads += sites[kind];
		}
		if (to || !kinds)
			return;
		field[0] = size;
		field[1] = kinds;
		to = window;
	} while (1);
}

static void BAREPROF_CALLBACK pass_values(struct bareprof_window *window, const struct bareprof_image *image)
{
	unsigned int version = (uint8_t)image->version;
	const uint8_t *record = image->section[BAREPROF_DATA].start;
	size_t i;

	for (i = image->records; i && window->room; i--) {
		pass_record(window, image, record);
		record += BAREPROF_RECORD_SIZE(version, WIDTH);
		BAREPROF_YIELD();
	}
}

void bareprof_with_values(struct bareprof_image *image)
{
	if (image->value_sites)
		image->values = pass_values;
}
