/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * valuelists.c - the lists of an image as a whole: begin them, keep them as they are
 * for a dump, set their counts to zero.
 */
#include "atomic.h"
#include "valuedata.h"

#if BAREPROF_SERVES_VALUES

#define STATE bareprof_state_is_missing_write_BAREPROF_STATE

/*
 * Of a record its size, and where it says where its list heads are: three pairs there are,
 * for versions up to 8, 9 and 10, 11. In one number, as two choices take more code.
 */
#define WIDTH     ((unsigned int)sizeof(uintptr_t))
#define LAYOUT(v) (BAREPROF_RECORD_SIZE(v, WIDTH) | BAREPROF_RECORD_VALUES_PTR(v, WIDTH) << 8)
_Static_assert(BAREPROF_RECORD_SIZE(5u, WIDTH) == BAREPROF_RECORD_SIZE(8u, WIDTH) &&
		       BAREPROF_RECORD_SIZE(9u, WIDTH) == BAREPROF_RECORD_SIZE(10u, WIDTH),
	"versions with records of one size");

/* Values kept of a site, as by compiler-rt: with the compiler's nodes and without. */
#define STATIC_MOST  24u
#define DYNAMIC_MOST 255u

/* Nodes are never taken back, so that nobody need be kept from looking at them. */
void bareprof_values_reset(struct bareprof_values *values)
{
	const struct bareprof_pool *pool;

	for (pool = values->pool; pool < values->pool + 2; pool++) {
		struct bareprof_node *node = (struct bareprof_node *)pool->start;

		for (; (char *)node < pool->next; node++)
			node->count = 0;
	}
}

/* Where compilers up to 17 left out the list heads: in the caller's memory, for all records. */
static int make_heads(struct bareprof_values *values, struct bareprof_span *heads)
{
	const struct bareprof_image *image = values->image;
	uint8_t *record = (uint8_t *)(uintptr_t)image->section[BAREPROF_DATA].start;
	char *at = values->pool[1].start;
	size_t i;

	heads->start = at;
	for (i = image->records; i; i--) {
		const bareprof_sites *sites = bareprof_sites_of(values, record);
		size_t n = 0;
		unsigned int kind;

		for (kind = 0; kind <= image->facts.last_kind; kind++)
			n += sites[kind];
		n *= sizeof(uintptr_t);
		if ((size_t)(values->pool[1].end - at) < n)
			return BAREPROF_E_ROOM;
		*bareprof_heads_of(values, record) = (bareprof_heads)at;
		at += n;
		record += values->record_size;
	}
	heads->size = (size_t)(at - values->pool[1].start);
	values->pool[1].start = at + (-(uintptr_t)at & (__alignof__(struct bareprof_node) - 1));
	return BAREPROF_OK;
}

int bareprof_values_start(
	struct bareprof_values *values, struct bareprof_image *image, struct bareprof_node *nodes, size_t n)
{
	const unsigned int version = (uint8_t)image->version;
	const unsigned int layout = version > 10 ? LAYOUT(11u) : version > 8 ? LAYOUT(10u) : LAYOUT(8u);
	const struct bareprof_span *vnds = &image->section[BAREPROF_VNDS];
	struct bareprof_span heads = image->section[BAREPROF_VALS];
	struct bareprof_values **at;

	values->image = image;
	values->record_size = (uint8_t)layout;
	values->heads_at = layout >> 8;
	values->pool[0].start = (char *)(uintptr_t)vnds->start;
	values->pool[0].end = values->pool[0].start + vnds->size;
	values->pool[1].start = (char *)nodes;
	values->pool[1].end = (char *)(nodes + n);
	values->most = STATIC_MOST;
	if (!heads.size) {
		values->most = DYNAMIC_MOST;
		if (make_heads(values, &heads))
			return BAREPROF_E_ROOM;
	}
	bareprof_fill((void *)(uintptr_t)heads.start, 0, heads.size);
	values->pool[0].next = values->pool[0].start;
	values->pool[1].next = values->pool[1].start;
	values->dropped = 0;
	values->held = 0;
	image->values = values;

	for (at = &STATE.images; *at && *at != values; at = &(*at)->next)
		;
	if (!*at) {
		values->next = NULL;
		bareprof_store(at, values);
	}
	return BAREPROF_OK;
}

void bareprof_values_remove(struct bareprof_values *values)
{
	struct bareprof_values **at;

	for (at = &STATE.images; *at; at = &(*at)->next) {
		if (*at == values) {
			bareprof_store(at, values->next);
			break;
		}
	}
	values->image->values = NULL;
	values->image->releases++;
}

int bareprof_values_hold(struct bareprof_values *values, int force)
{
	return bareprof_exchange(&values->held, 1) && !force ? BAREPROF_E_BUSY : BAREPROF_OK;
}

void bareprof_values_release(struct bareprof_values *values)
{
	values->image->releases++;
	bareprof_store(&values->held, 0);
}

#endif
