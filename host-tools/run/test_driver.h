/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_driver.h - runs the tests of a plan on a guest's console. If no guest is running, a guest is booted for the next
 * test. The guest runs one test after the other until the guest ends or a dump is incomplete.
 */
#ifndef BAREPROF_HOST_TEST_DRIVER_H
#define BAREPROF_HOST_TEST_DRIVER_H

#include "guest_memory.h"
#include "plan.h"
#include "qemu.h"
#include "side_channel.h"

/* The caller sets the fields from @plan to @context and zeroes the others. End with test_driver_free(). */
struct test_driver {
	const struct plan *plan;
	const struct board *board;
	const char *elf;
	char *const *more; /* more arguments for QEMU, ended by NULL */
	double timeout; /* seconds, for each boot and for each test */
	struct programs *programs; /* ELF files; their records and names complete the captures of counters */
	FILE *log; /* every byte of every guest's console is written to this file; may be NULL */
	bool no_outside; /* never read the memory of a guest */
	void (*tick)(void *context); /* called every 20 ms while the driver waits for the guest, and after output */
	void *context;

	struct guest guest;
	bool is_up; /* a guest is running */
	struct console console;
	struct transcript transcript; /* the console text of the current try */
	struct side_channel channel;
	char *binary; /* path of the board's raw binary, in the folder of @channel; NULL: the board needs none */
	struct arrival by_console;
	struct guest_memory memory; /* the profile in the memory of the guest, if a test hung */
};

/* The outcome of one try of a test. */
struct test_outcome {
	char *failure; /* a sentence with the reason why the try failed; NULL: it passed. The caller frees the text. */
	const char *kind; /* the kind of failure, as one word: system, timeout, signal, guest, dump or verdict */
	bool never_ready; /* the guest was not ready for the test in time, or ended before it was ready */
	struct bytes profile; /* a complete profile, valid until the next try; empty: none arrived */
	/* OK: other tests may pass. Otherwise QEMU or the system failed, so that no test can pass. */
	enum status fatal;
};

/*
 * test_driver_run - runs @test in the guest that is running. If no guest is running, boots one first. After the test,
 * the guest continues to run only if it finished all stages of the test and sent a complete dump.
 */
struct test_outcome test_driver_run(struct test_driver *driver, const struct plan_test *test);

/* test_driver_stop - ends the guest if one is running. The next try boots a new guest. */
void test_driver_stop(struct test_driver *driver);

/*
 * test_driver_end - types the plan's end text and waits for the guest to end. Call it after the last test. Returns
 * NULL, or if the guest failed, a text that describes the failure. The caller frees the text.
 */
char *test_driver_end(struct test_driver *driver);

/* test_driver_free - ends the guest if one is running, removes the side channel and frees what @driver holds. */
void test_driver_free(struct test_driver *driver);

/*
 * guest_end_text - appends the reason why @guest ended, as a sentence without its subject, such as "ended with status
 * 1". @timeout is the maximum time in seconds that the guest was allowed to run.
 */
void guest_end_text(const struct guest *guest, double timeout, struct buffer *text);

#endif
