/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises_several.c - tests images that come and go while a reader reads all of them as a set.
 */
#include <bareprof/image_set.h>
#include <bareprof/snapshot.h>

#include "promises.h"

static struct bareprof_set set;
static struct bareprof_set_dump all;
static struct bareprof_set_member kernel;
static struct bareprof_set_member module;
static struct bareprof_set_member more;
static struct bareprof_image loaded; /* a second image with counters of its own, made by bareprof_snapshot() */
static struct bareprof_image another;
static uint64_t memory[1000];
static uint64_t others[1000];
static uint8_t kept[1 << 14];

/* Makes a set of two images and holds their lists. */
static void load(void)
{
	begin(100, true);
	count_to(10);
	see(1);
	EXPECT(!bareprof_snapshot(&loaded, &image, memory, sizeof(memory)));
	EXPECT(!bareprof_snapshot(&another, &image, others, sizeof(others)));
	count_to(10);
	bareprof_set_add(&set, &kernel, &image);
	bareprof_set_add(&set, &module, &loaded);
	EXPECT(!bareprof_values_hold(&values, 0));
}

static bool is_stale(void)
{
	return bareprof_set_read(&all, 0, file, 16) == BAREPROF_E_STALE;
}

static void open_all(void)
{
	EXPECT(!bareprof_set_open(&all, &set) && bareprof_set_read(&all, 0, file, 16) == 16);
}

void a_changed_set_is_stale(void)
{
	load();
	open_all();
	bareprof_set_add(&set, &more, &another);
	EXPECT(is_stale());
	open_all();
	bareprof_set_remove(&set, &more);
	EXPECT(is_stale());
	open_all();
	EXPECT(bareprof_set_retain(&set, &module, &dump, kept, sizeof(kept)) > 0);
	EXPECT(is_stale());
	/* The reset of an image must also make the dump stale if that image is not being read at that moment. */
	bareprof_set_remove(&set, &module);
	bareprof_set_add(&set, &more, &another);
	open_all();
	bareprof_reset(&another);
	EXPECT(is_stale());
}

void what_is_retained_stays(void)
{
	size_t n;

	load();
	EXPECT(!bareprof_set_open(&all, &set));
	n = all.size;
	EXPECT(bareprof_set_read(&all, 0, file, n) == (intptr_t)n);
	EXPECT(bareprof_set_retain(&set, &module, &dump, kept, sizeof(kept)) > 0);
	/* The memory of the module is used for other data. */
	memset(memory, 0x5a, sizeof(memory));
	memset(&loaded, 0x5a, sizeof(loaded));
	EXPECT(!bareprof_set_open(&all, &set) && all.size == n);
	EXPECT(bareprof_set_read(&all, 0, file + n, n) == (intptr_t)n && !memcmp(file, file + n, n));
}

/* Reads of the set must return the kernel's file and then the module's file, with windows of any size and order. */
void a_set_is_one_file(void)
{
	const size_t window = 56;
	intptr_t first;
	intptr_t second;
	size_t at;

	load();
	EXPECT(!bareprof_set_open(&all, &set) && all.size < sizeof(file) / 2);
	first = bareprof_write(&dump, &image, file, sizeof(file));
	EXPECT(first > 0);
	second = bareprof_write(&dump, &loaded, file + first, sizeof(file) - (size_t)first);
	EXPECT(second > 0 && all.size == (size_t)(first + second));
	for (at = (all.size - 1) / window * window;; at -= window) {
		const size_t n = all.size - at < window ? all.size - at : window;

		EXPECT(bareprof_set_read(&all, at, kept, window) == (intptr_t)n && !memcmp(kept, file + at, n));
		if (!at)
			break;
	}
	keep("a_set_is_one_file", all.size);
}
