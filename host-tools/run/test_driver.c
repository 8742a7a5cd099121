/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_driver.c - reset, test, dump: type each when the guest is ready for it, and
 * know what it means if it never is.
 */
#include "test_driver.h"
#include "clock.h"
#include "output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Seconds without a word from the guest. After a dump that came whole, so that
 * a guest that ends right behind it is not taken for one that went well, if
 * there is no prompt to wait for; and after one that did not: no more will come.
 */
#define SETTLED  0.2
#define PATIENCE 1.0
/* The side channel's file is read when nothing was added for so long. */
#define IDLE 0.02

enum stage {
	STAGE_BOOT,
	STAGE_RESET,
	STAGE_TEST,
	STAGE_DUMP,
	STAGE_DONE,
};

static void arrival_free(struct arrival *arrival)
{
	dump_progress_free(&arrival->progress);
	dump_receiver_free(&arrival->dump);
	*arrival = (struct arrival){0};
}

static void arrival_start(struct arrival *arrival, struct console *console, struct programs *programs)
{
	arrival_free(arrival);
	dump_receiver_start(&arrival->dump, console ? console_text : NULL, console);
	arrival->dump.completion.programs = programs;
	arrival->progress.capture = &arrival->dump.capture;
	arrival->dump.scan.block = dump_progress_block;
	arrival->dump.scan.context = &arrival->progress;
}

/* From now on a dump is a new one. */
static void expect_dump(struct test_driver *driver)
{
	arrival_start(&driver->by_console, &driver->console, driver->programs);
	arrival_start(&driver->by_channel, NULL, driver->programs);
	driver->channel_from = driver->channel_size;
	driver->channel_changed = 0;
}

static void read_channel(struct test_driver *driver)
{
	int fd = open(driver->channel, O_RDONLY | O_CLOEXEC);
	struct buffer content = {0};
	uint8_t chunk[65536];
	ssize_t n;

	arrival_start(&driver->by_channel, NULL, driver->programs);
	while (fd >= 0 && (n = pread(fd, chunk, sizeof(chunk), (off_t)(driver->channel_from + content.size))) > 0)
		buffer_add(&content, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	scan_bytes(&driver->by_channel.dump.scan, (struct bytes){content.data, content.size});
	buffer_free(&content);
}

/* A part of it may be no part of a block: it is read from the test's start each time, and not while it grows. */
static void poll_side_channel(struct test_driver *driver, bool at_once)
{
	double now = seconds_now();
	struct stat file;

	if (stat(driver->channel, &file))
		return;
	if ((uint64_t)file.st_size != driver->channel_size) {
		driver->channel_size = (uint64_t)file.st_size;
		driver->channel_changed = now;
	}
	if (driver->channel_changed > 0 && (at_once || now - driver->channel_changed > IDLE)) {
		read_channel(driver);
		driver->channel_changed = 0;
	}
}

static bool is_ready(void *context)
{
	struct test_driver *driver = context;

	driver->tick(driver->context);
	return driver->transcript.is_ready;
}

static bool has_ended(const struct arrival *arrival)
{
	return arrival->progress.current && arrival->progress.current->ended;
}

static bool has_dumped(void *context)
{
	struct test_driver *driver = context;
	bool whole;
	double quiet;

	driver->tick(driver->context);
	poll_side_channel(driver, false);
	whole = driver->by_console.progress.done || driver->by_channel.progress.done;
	quiet = driver->channel_changed > 0 ? 0 : seconds_now() - driver->guest.last_output;
	if (driver->plan->ready.text)
		return driver->transcript.is_ready && (whole || quiet > PATIENCE);
	return whole ? quiet > SETTLED
	             : quiet > PATIENCE && (has_ended(&driver->by_console) || has_ended(&driver->by_channel));
}

enum status side_channel(char **folder, char **path, struct error *error)
{
	enum status status = temporary_folder(folder, error);

	if (status != STATUS_OK)
		return status;
	*path = format("%s/dump", *folder);
	return output_write(*path, (struct bytes){NULL, 0}, error);
}

static enum status boot_guest(struct test_driver *driver, struct error *error)
{
	enum status status = STATUS_OK;

	test_driver_stop(driver);
	if (driver->folder)
		status = output_write(driver->channel, (struct bytes){NULL, 0}, error);
	else
		status = side_channel(&driver->folder, &driver->channel, error);
	if (status != STATUS_OK)
		return status;
	driver->console = (struct console){
		.scan = &driver->by_console.dump.scan,
		.transcript = &driver->transcript,
		.log = driver->log,
	};
	driver->guest = (struct guest){
		.board = driver->board,
		.elf = driver->elf,
		.more = driver->more,
		.dump = driver->channel,
		.console = &driver->console,
	};
	driver->channel_size = 0;
	expect_dump(driver);
	status = qemu_start(&driver->guest, error);
	driver->is_up = status == STATUS_OK;
	return status;
}

void test_driver_stop(struct test_driver *driver)
{
	if (driver->is_up)
		qemu_end(&driver->guest);
	driver->is_up = false;
}

static bool wait_for(struct test_driver *driver, double until, bool (*enough)(void *context))
{
	return qemu_wait(&driver->guest, until, enough, driver) == GUEST_RUNS;
}

static void type_text(struct test_driver *driver, const struct buffer *text)
{
	qemu_type(&driver->guest, (struct bytes){text->data, text->size});
}

/* Where there is no prompt to wait for: all at once. */
static enum stage run_without_prompt(struct test_driver *driver, const struct plan_test *test, double until)
{
	expect_dump(driver);
	transcript_mark(&driver->transcript);
	driver->transcript.judging = true;
	type_text(driver, &driver->plan->reset);
	type_text(driver, &test->text);
	type_text(driver, &driver->plan->dump);
	return wait_for(driver, until, has_dumped) ? STAGE_DONE : STAGE_DUMP;
}

/* How far it came. */
static enum stage run_steps(struct test_driver *driver, const struct plan_test *test)
{
	const struct plan *plan = driver->plan;
	bool has_prompt = plan->ready.text != NULL;
	double until = seconds_now() + driver->timeout;

	if (has_prompt && !driver->transcript.is_ready && !wait_for(driver, until, is_ready))
		return STAGE_BOOT;
	until = seconds_now() + driver->timeout;
	if (!has_prompt)
		return run_without_prompt(driver, test, until);
	expect_dump(driver);
	transcript_mark(&driver->transcript);
	type_text(driver, &plan->reset);
	if (!wait_for(driver, until, is_ready))
		return STAGE_RESET;
	expect_dump(driver);
	transcript_mark(&driver->transcript);
	driver->transcript.judging = true;
	type_text(driver, &test->text);
	if (!wait_for(driver, until, is_ready))
		return STAGE_TEST;
	transcript_judge(&driver->transcript);
	expect_dump(driver);
	transcript_mark(&driver->transcript);
	type_text(driver, &plan->dump);
	return wait_for(driver, until, has_dumped) ? STAGE_DONE : STAGE_DUMP;
}

void guest_end_text(const struct guest *guest, double timeout, struct buffer *text)
{
	switch (guest->end) {
	case GUEST_TIMEOUT:
		buffer_printf(text, "did not end within %g seconds and was stopped", timeout);
		break;
	case GUEST_VANISHED:
		buffer_add_text(text, "was reset or switched off without a status, perhaps by a fault");
		break;
	case GUEST_NOT_STARTED:
		buffer_add_text(text, "could not be run: QEMU failed, see above");
		break;
	case GUEST_INTERRUPTED:
		buffer_add_text(text, "was stopped by a signal");
		break;
	default:
		buffer_printf(text, "ended with status %d", guest->status);
		break;
	}
}

static const char *add_timeout(
	const struct test_driver *driver, enum stage stage, const struct plan_test *test, struct buffer *text)
{
	uint8_t last = test->text.data[test->text.size - 1];

	switch (stage) {
	case STAGE_BOOT:
		buffer_printf(text, "its guest was not ready within %g seconds: no line of the console matches '%s'",
			driver->timeout, driver->plan->ready.text);
		break;
	case STAGE_RESET:
		buffer_printf(text, "its guest was not ready again within %g seconds after the reset", driver->timeout);
		break;
	case STAGE_TEST:
		buffer_printf(text, "did not end within %g seconds", driver->timeout);
		if (last != '\n' && last != '\r')
			buffer_add_text(text, "; does what is typed for it lack a \\n?");
		break;
	default:
		buffer_printf(text, "sent no whole dump within %g seconds", driver->timeout);
		break;
	}
	return "timeout";
}

/* The guest, which has been ended, did not get further than @stage. */
static const char *add_end(
	const struct test_driver *driver, enum stage stage, const struct plan_test *test, struct buffer *text)
{
	if (driver->guest.end == GUEST_TIMEOUT)
		return add_timeout(driver, stage, test, text);
	if (driver->guest.end == GUEST_INTERRUPTED) {
		buffer_add_text(text, "was cut short by a signal");
		return "signal";
	}
	buffer_add_text(text, "its guest ");
	guest_end_text(&driver->guest, driver->timeout, text);
	if (stage == STAGE_BOOT && driver->guest.end != GUEST_NOT_STARTED)
		buffer_add_text(text, " before it was ready");
	return "guest";
}

static bool is_empty(const struct arrival *arrival)
{
	return !arrival->dump.capture.count && !arrival->dump.scan.damaged_lines;
}

/* The profile of a whole dump, by whichever way it came; else what is wrong with it, if there is one at all. */
static bool take_profile(struct test_driver *driver, struct test_outcome *outcome, struct error *error)
{
	struct arrival *arrival = &driver->by_console;

	poll_side_channel(driver, true);
	if (!arrival->progress.done && (driver->by_channel.progress.done || is_empty(arrival)))
		arrival = &driver->by_channel;
	error->text[0] = 0;
	if (is_empty(arrival) || dump_receiver_finish(&arrival->dump, NULL, error) != STATUS_OK)
		return false;
	outcome->profile = (struct bytes){arrival->dump.stream.data, arrival->dump.stream.size};
	return true;
}

/* What @error says of the dump, after what is in @text; the kind of failure. */
static const char *add_dump(const struct error *error, const char *kind, struct buffer *text)
{
	if (text->size && error->text[0])
		buffer_printf(text, ": %s", error->text);
	if (text->size)
		return kind;
	buffer_printf(text, error->text[0] ? "sent no usable dump: %s" : "sent no dump", error->text);
	return "dump";
}

static const char *add_verdict(const struct test_driver *driver, struct buffer *text)
{
	const struct transcript *transcript = &driver->transcript;

	if (transcript->failed.size)
		buffer_printf(text, "the console says '%.*s'",
			(int)(transcript->failed.size < 200 ? transcript->failed.size : 200),
			(const char *)transcript->failed.data);
	else if (driver->plan->pass.text && !transcript->passed)
		buffer_printf(text, "no line of the console matches '%s'", driver->plan->pass.text);
	return "verdict";
}

struct test_outcome test_driver_run(struct test_driver *driver, const struct plan_test *test)
{
	struct test_outcome outcome = {.kind = "system"};
	struct buffer failure = {0};
	struct error error;
	enum stage stage;
	bool whole;

	driver->transcript.ready = driver->plan->ready.text ? &driver->plan->ready.regex : NULL;
	driver->transcript.pass = driver->plan->pass.text ? &driver->plan->pass.regex : NULL;
	driver->transcript.fail = driver->plan->fail.text ? &driver->plan->fail.regex : NULL;
	transcript_clear(&driver->transcript);
	driver->transcript.is_ready = driver->is_up;
	if (!driver->is_up)
		outcome.fatal = boot_guest(driver, &error);
	if (outcome.fatal != STATUS_OK) {
		outcome.failure = format("%s", error.text);
		return outcome;
	}
	stage = run_steps(driver, test);
	if (stage != STAGE_DONE) {
		test_driver_stop(driver);
		outcome.kind = add_end(driver, stage, test, &failure);
		outcome.never_ready = stage == STAGE_BOOT;
		/* QEMU can fall over later, too. */
		if (driver->guest.end == GUEST_NOT_STARTED && !driver->console.got_output)
			outcome.fatal = STATUS_SYSTEM;
	}
	transcript_judge(&driver->transcript);
	whole = take_profile(driver, &outcome, &error);
	if (whole && failure.size)
		buffer_add_text(&failure, "; its profile had already arrived");
	else if (whole)
		outcome.kind = add_verdict(driver, &failure);
	else if (!failure.size || stage == STAGE_DUMP)
		outcome.kind = add_dump(&error, outcome.kind, &failure);
	if (!whole)
		test_driver_stop(driver);
	if (failure.size)
		outcome.failure = format("%s", buffer_string(&failure));
	buffer_free(&failure);
	return outcome;
}

char *test_driver_end(struct test_driver *driver)
{
	struct buffer failure = {0};
	char *text = NULL;

	if (!driver->is_up)
		return NULL;
	if (!driver->plan->end.size) {
		test_driver_stop(driver);
		return NULL;
	}
	type_text(driver, &driver->plan->end);
	qemu_wait(&driver->guest, seconds_now() + driver->timeout, NULL, NULL);
	test_driver_stop(driver);
	if (driver->guest.end != GUEST_EXITED || driver->guest.status) {
		guest_end_text(&driver->guest, driver->timeout, &failure);
		text = format("%s", buffer_string(&failure));
	}
	buffer_free(&failure);
	return text;
}

void test_driver_free(struct test_driver *driver)
{
	test_driver_stop(driver);
	temporary_remove(driver->folder);
	free(driver->folder);
	free(driver->channel);
	arrival_free(&driver->by_console);
	arrival_free(&driver->by_channel);
	transcript_free(&driver->transcript);
}
