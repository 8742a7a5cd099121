/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_pool.c - starts the value lists of an image, keeps them unchanged during a dump,
 * and sets their counts to zero.
 */
#include "values_atomic.h"

#if BAREPROF_SERVES_VALUES

/*
 * The size of a record and the offset of its pointer to the list heads, in one number.
 * There are three such numbers: one for versions up to 8, one for versions 9 and 10, and
 * one for version 11. Because size and offset are in one number, the code has to choose
 * among the three groups of versions only once.
 */
#define WIDTH     ((unsigned int)sizeof(uintptr_t))
#define LAYOUT(v) (BAREPROF_RECORD_SIZE(v, WIDTH) | BAREPROF_RECORD_VALUES_PTR(v, WIDTH) << 8)
/* All versions of a group have the same LAYOUT(). (The check is a typedef because C99 has no _Static_assert.) */
typedef char one_layout_in_each_group
	[LAYOUT(5u) == LAYOUT(8u) && LAYOUT(9u) == LAYOUT(10u) && LAYOUT(11u) == LAYOUT(BAREPROF_RAW_NEWEST) ? 1 : -1];

/*
 * The maximum number of values of a site, as in compiler-rt: STATIC_LIST_MAX if the
 * compiler reserved nodes, otherwise DYNAMIC_LIST_MAX.
 */
#define STATIC_LIST_MAX  24u
#define DYNAMIC_LIST_MAX 255u

/* The nodes stay in their lists, so other code may walk a list during the call. */
void bareprof_values_reset(struct bareprof_values *values)
{
	const struct bareprof_pool *pool;

	for (pool = values->pool; pool < values->pool + 2; pool++) {
		struct bareprof_node *node = (struct bareprof_node *)pool->start;

		for (; (char *)node < pool->next; node++)
			node->count = 0;
	}
}

/*
 * Puts list heads at the end of the caller's memory, because clang up to 17 makes no list
 * heads for bare metal. Makes the records point to these list heads. All lists are then
 * empty. Errors: NO_SPACE, READ_ONLY.
 */
static int make_heads(struct bareprof_values *values)
{
	const struct bareprof_image *image = values->image;
	const struct bareprof_slice *vals = &image->section[BAREPROF_VALS];
	uint8_t *record = (uint8_t *)(uintptr_t)image->section[BAREPROF_DATA].start;
	struct bareprof_pool *pool = &values->pool[1];
	size_t i;

	for (i = image->records; i; i--) {
		const bareprof_sites *sites = bareprof_sites_of(values, record);
		const bareprof_sites *end = sites + image->profraw.last_kind;
		bareprof_heads *heads = bareprof_heads_of(values, record);
		size_t n = 0;

		do
			n += *sites++;
		while (sites <= end);
		n *= sizeof(uintptr_t);
		if (n && (uintptr_t)*heads - (uintptr_t)vals->start >= vals->size) {
			if ((size_t)(pool->end - pool->start) < n)
				return BAREPROF_E_NO_SPACE;
			pool->end -= n;
			*heads = (bareprof_heads)pool->end;
			/* If the record is in ROM, the store changed nothing. */
			if (*(const volatile bareprof_heads *)heads != (bareprof_heads)pool->end)
				return BAREPROF_E_READ_ONLY;
			bareprof_fill(pool->end, 0, n);
		}
		record += values->record_size;
	}
	bareprof_fill((void *)(uintptr_t)vals->start, 0, vals->size);
	return BAREPROF_OK;
}

/* Returns the link that points to @values, or the last link if @values is not in the list. */
static struct bareprof_values **place_of(const struct bareprof_values *values)
{
	struct bareprof_values **at = &bareprof_global_state.images;

	while (*at && *at != values)
		at = &(*at)->next;
	return at;
}

int bareprof_values_start(
	struct bareprof_values *values, struct bareprof_image *image, struct bareprof_node *nodes, size_t n)
{
	const unsigned int version = (uint8_t)image->version;
	const unsigned int layout = version > 10 ? LAYOUT(11u) : version > 8 ? LAYOUT(10u) : LAYOUT(8u);
	const struct bareprof_slice *vnds = &image->section[BAREPROF_VNDS];
	struct bareprof_values **at;
	int error;

	values->image = image;
	values->record_size = (uint8_t)layout;
	values->heads_at = layout >> 8;
	values->pool[0].start = (char *)(uintptr_t)vnds->start;
	values->pool[0].end = values->pool[0].start + vnds->size;
	values->pool[1].start = (char *)nodes;
	values->pool[1].end = (char *)(nodes + n);
	error = make_heads(values);
	if (error)
		return error;
	values->max_per_site = image->section[BAREPROF_VALS].size ? STATIC_LIST_MAX : DYNAMIC_LIST_MAX;
	values->pool[0].next = values->pool[0].start;
	values->pool[1].next = values->pool[1].start;
	values->dropped = 0;
	values->held = 0;
	image->values = values;

	at = place_of(values);
	if (!*at) {
		values->next = NULL;
		bareprof_store_release(at, values);
	}
	return BAREPROF_OK;
}

void bareprof_values_remove(struct bareprof_values *values)
{
	struct bareprof_values **at = place_of(values);

	if (*at)
		bareprof_store_release(at, values->next);
	values->image->values = NULL;
	values->image->releases++;
}

int bareprof_values_hold(struct bareprof_values *values, int force)
{
	return bareprof_atomic_exchange(&values->held, 1) && !force ? BAREPROF_E_BUSY : BAREPROF_OK;
}

void bareprof_values_release(struct bareprof_values *values)
{
	values->image->releases++;
	bareprof_store_release(&values->held, 0);
}

#endif
