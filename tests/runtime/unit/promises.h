/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises.h - the contracts of docs/DESIGN.md as test cases. The name of each case is the name of the promise that the
 * case tests. Each case runs in a process of its own, so it does not need to clean up.
 */
#ifndef TESTS_UNIT_PROMISES_H
#define TESTS_UNIT_PROMISES_H

#include <bareprof/values.h>
#include <stdbool.h>
#include <string.h>

#define PROMISES(X)                                                                                                    \
	X(a_counter_is_seen_whole)                                                                                     \
	X(sizes_stay)                                                                                                  \
	X(metadata_stays)                                                                                              \
	X(reset_makes_stale)                                                                                           \
	X(release_makes_stale)                                                                                         \
	X(reset_is_of_everything)                                                                                      \
	X(reset_never_relinks)                                                                                         \
	X(a_snapshot_stays)                                                                                            \
	X(drain_and_rest_are_all)                                                                                      \
	X(drain_makes_stale)                                                                                           \
	X(a_drain_leaves_lists)                                                                                        \
	X(open_wants_lists_held)                                                                                       \
	X(hold_is_exclusive)                                                                                           \
	X(hold_is_busy_in_an_append)                                                                                   \
	X(panic_is_never_busy)                                                                                         \
	X(held_lists_drop_new_values)                                                                                  \
	X(held_lists_count_known_values)                                                                               \
	X(a_full_pool_drops)                                                                                           \
	X(appends_at_once_lose_none)                                                                                   \
	X(lists_only_grow)                                                                                             \
	X(lists_end_at_24)                                                                                             \
	X(lists_end_at_255)                                                                                            \
	X(the_rarest_gives_way)                                                                                        \
	X(images_are_apart)                                                                                            \
	X(lists_are_whole_at_every_instruction)                                                                        \
	X(a_changed_set_is_stale)                                                                                      \
	X(what_is_retained_stays)                                                                                      \
	X(a_set_is_one_file)                                                                                           \
	X(samples_add_up)                                                                                              \
	X(samples_are_never_mixed)                                                                                     \
	X(new_samples_replace_old)                                                                                     \
	X(outside_is_only_counted)                                                                                     \
	X(stacks_end_at_their_bounds)                                                                                  \
	X(samples_without_room_stay)                                                                                   \
	X(a_collect_makes_stale)

#define DECLARE(name) void name(void);
PROMISES(DECLARE)
#undef DECLARE

/* If @condition is false, records that the case failed. The case continues. */
#define EXPECT(condition) expect((condition), #condition, __FILE__, __LINE__)
void expect(bool holds, const char *condition, const char *file, int line);

extern struct bareprof_image image;
extern struct bareprof_values values;
extern struct bareprof_dump dump;
extern struct bareprof_node nodes[1000];
extern uint8_t file[1 << 16];

/* If this pointer is not NULL, the runtime calls the function between sections, records and blocks. */
extern void (*on_yield)(void);

/*
 * Sets up the image, and its values with @n nodes of the caller. If @compilers is true, it also uses the nodes that
 * the compiler reserved.
 */
void begin(size_t n, bool compilers);

/* see() records a value at the first value site of the image; list() returns the list of this site. */
void see(uint64_t value);
struct bareprof_node *list(void);
/* Returns the count of @value in the list of the first value site, or 0 if the value is not in it. */
uint64_t seen(uint64_t value);
size_t length(void);

/* Holds the lists, opens the image and reads the whole profile into file[]. Returns its size, or 0 after an error. */
size_t take_dump(void);
/*
 * Checks the value data in file[], which has @size bytes. Returns true if the value data end with the last byte of
 * file[], and if each list has as many values as its length field says.
 */
bool is_whole(size_t size);
/* Writes the .profraw in file[], of @size bytes, to a file, which test.sh passes to other readers. */
void keep(const char *name, size_t size);

int count_to(int n);
int decide(int a, int b, int c);
int call(int (*function)(int), int n);
void copy(void *to, const void *from, unsigned long n);

#endif
