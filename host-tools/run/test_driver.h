/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_driver.h - drive a guest's console by a plan: a guest is booted when one is
 * needed, and goes from test to test as long as it behaves.
 */
#ifndef BAREPROF_HOST_TEST_DRIVER_H
#define BAREPROF_HOST_TEST_DRIVER_H

#include "dump_receiver.h"
#include "dump_progress.h"
#include "plan.h"
#include "qemu.h"

/* A dump that is coming in. */
struct arrival {
	struct dump_receiver dump;
	struct dump_progress progress;
};

/* Starts with the first part and zeros, ends with test_driver_free(). */
struct test_driver {
	const struct plan *plan;
	const struct board *board;
	const char *elf;
	char *const *more; /* words for QEMU, NULL at their end */
	double timeout; /* seconds, for a boot and for a test */
	struct programs *programs; /* for captures of counters */
	FILE *log; /* gets every byte of every guest; may be NULL */
	void (*tick)(void *context); /* called from time to time */
	void *context;

	struct guest guest;
	bool is_up; /* there is a guest */
	struct console console;
	struct transcript transcript; /* of the try */
	char *folder; /* of the side channel */
	char *channel; /* its file */
	uint64_t channel_from; /* what the file has from here on is of this test */
	uint64_t channel_size;
	double channel_changed;
	struct arrival by_console;
	struct arrival by_channel;
};

/* What came of one try of a test. */
struct test_outcome {
	char *failure; /* what went wrong; NULL: nothing. The caller frees it. */
	const char *kind; /* of failure, one word */
	bool never_ready; /* the guest did not get as far as the test */
	struct bytes profile; /* a whole one came, until the next try; else empty */
	enum status fatal; /* not the test's fault, and no other will go better */
};

/* test_driver_run - run @test, in a guest that is up or a new one; a guest that did not behave is ended. */
struct test_outcome test_driver_run(struct test_driver *driver, const struct plan_test *test);

/* test_driver_stop - end the guest if there is one: the next try gets a new one. */
void test_driver_stop(struct test_driver *driver);

/* test_driver_end - the last test was run: type the plan's end. Returns why that did not go well, or NULL. */
char *test_driver_end(struct test_driver *driver);
void test_driver_free(struct test_driver *driver);

/* guest_end_text - append how @guest, that had @timeout seconds, ended, as a sentence without its subject. */
void guest_end_text(const struct guest *guest, double timeout, struct buffer *text);

/* side_channel - make the folder and in it the empty file of a side channel; the caller frees both. Errors: SYSTEM. */
enum status side_channel(char **folder, char **path, struct error *error);

#endif
