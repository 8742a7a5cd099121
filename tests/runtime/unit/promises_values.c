/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_values.c - tests when value lists may change, how long they can become, and which values are dropped.
 */
#include "promises.h"

void open_wants_lists_held(void)
{
	struct bareprof_capture capture;
	static uint64_t buffer[256];

	begin(100, true);
	EXPECT(bareprof_open(&dump, &image) == BAREPROF_E_VALUE_SITES);
	EXPECT(bareprof_capture_values(&capture, &image, 1, buffer, sizeof(buffer)) == BAREPROF_E_VALUE_SITES);
	EXPECT(take_dump() > 0);
	EXPECT(bareprof_open(&dump, &image) == BAREPROF_E_VALUE_SITES);
}

void hold_is_exclusive(void)
{
	begin(100, true);
	EXPECT(bareprof_values_hold(&values, 0) == BAREPROF_OK);
	EXPECT(bareprof_values_hold(&values, 0) == BAREPROF_E_BUSY);
	bareprof_values_release(&values);
	EXPECT(bareprof_values_hold(&values, 0) == BAREPROF_OK);
}

void held_lists_drop_new_values(void)
{
	begin(100, true);
	see(1);
	EXPECT(!bareprof_values_hold(&values, 0));
	see(2);
	see(3);
	EXPECT(length() == 1 && values.dropped == 2);
	bareprof_values_release(&values);
	see(2);
	EXPECT(length() == 2 && values.dropped == 2);
}

void held_lists_count_known_values(void)
{
	begin(100, true);
	see(1);
	EXPECT(!bareprof_values_hold(&values, 0));
	see(1);
	see(1);
	EXPECT(seen(1) == 3 && values.dropped == 0);
}

void a_full_pool_drops(void)
{
	size_t size;
	uint64_t i;

	begin(5, true);
	for (i = 0; i < 12; i++)
		see(i);
	EXPECT(length() == 5 && values.dropped == 7);
	see(4);
	EXPECT(seen(4) == 2 && values.dropped == 7);
	size = take_dump();
	EXPECT(size > 0 && is_whole(size));
	keep("a_full_pool_drops", size);
}

void lists_only_grow(void)
{
	static struct bareprof_node *at[300];
	struct bareprof_node *node;
	uint64_t random = 1;
	size_t known = 0;
	int i;

	begin(1000, true);
	for (i = 0; i < 5000; i++) {
		size_t n = 0;

		random = random * 6364136223846793005u + 1442695040888963407u;
		see(random >> 59);
		if (i % 500 == 499)
			bareprof_reset(&image);
		for (node = list(); node && n < 300; node = node->next, n++) {
			if (n < known)
				EXPECT(at[n] == node);
			at[n] = node;
		}
		EXPECT(n >= known);
		known = n;
	}
	EXPECT(known > 20);
}

/* Fills the list of a site up to its maximum, @most values. */
static void fill(uint64_t most)
{
	uint64_t i;

	/* Records each value twice, so that a single new value does not replace any of them. */
	for (i = 0; i < most; i++) {
		see(i);
		see(i);
	}
	EXPECT(length() == most && values.dropped == 0);
	see(1000);
	EXPECT(length() == most && values.dropped == 0 && seen(1000) == 0);
}

void lists_end_at_24(void)
{
	begin(1000, true);
	fill(24);
}

void lists_end_at_255(void)
{
	size_t size;

	begin(1000, false);
	fill(255);
	/* In the file, the length of a list is one byte. Therefore a list has at most 255 values. */
	size = take_dump();
	EXPECT(size > 0 && is_whole(size));
	keep("lists_end_at_255", size);
}

/* In a full list, a new value takes the node of the rarest value, as in compiler-rt. */
void the_rarest_gives_way(void)
{
	uint64_t i;

	begin(1000, true);
	for (i = 0; i < 24; i++) {
		see(i);
		see(i);
		see(i);
	}
	/*
	 * The list is full, and value 0 is the first of its rarest values. When 1000 is seen, the count of value 0
	 * decreases. When 1000 is seen the third time, it replaces value 0.
	 */
	see(1000);
	EXPECT(seen(0) == 2);
	see(1000);
	EXPECT(seen(0) == 1);
	see(1000);
	EXPECT(seen(0) == 0 && seen(1000) == 1 && list()->value == 1000 && length() == 24);
	EXPECT(seen(1) == 3);
}

void images_are_apart(void)
{
	struct bareprof_image other;
	struct bareprof_values others;
	static uint64_t records[16];
	static struct bareprof_node *heads[1];
	static struct bareprof_node node[1];
	uint16_t *sites = (uint16_t *)((char *)records + BAREPROF_RECORD_VALUE_SITES(10u, 8u));

	begin(100, true);
	other = image;
	other.live = &other;
	other.section[BAREPROF_DATA].start = records;
	other.section[BAREPROF_DATA].size = BAREPROF_RECORD_SIZE(10u, 8u);
	other.section[BAREPROF_VALS].start = heads;
	other.section[BAREPROF_VALS].size = sizeof(heads);
	other.records = 1;
	*sites = 1;
	*(struct bareprof_node ***)((char *)records + BAREPROF_RECORD_VALUES_PTR(10u, 8u)) = heads;
	/* This record belongs to an image whose values were not started yet, so the value is dropped. */
	__llvm_profile_instrument_target(1, records, 0);
	EXPECT(bareprof_global_state.dropped == 1 && !heads[0]);
	EXPECT(!bareprof_values_start(&others, &other, node, 1));
	__llvm_profile_instrument_target(1, records, 0);
	EXPECT(heads[0] == node && !list());
	/* Each image has its own nodes, its own hold and its own number of dropped values. */
	__llvm_profile_instrument_target(2, records, 0);
	EXPECT(others.dropped == 1 && values.dropped == 0);
	EXPECT(!bareprof_values_hold(&others, 0));
	see(1);
	EXPECT(seen(1) == 1 && values.dropped == 0);
	EXPECT(!bareprof_open(&dump, &other));
	bareprof_values_remove(&others);
	EXPECT(bareprof_read(&dump, 0, file, 16) == BAREPROF_E_STALE);
	__llvm_profile_instrument_target(3, records, 0);
	EXPECT(bareprof_global_state.dropped == 2 && others.dropped == 1);
	see(1);
	EXPECT(seen(1) == 2);
}
