/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_driver.c - types the texts for the reset, the test and the dump. It types each text when the guest is ready for
 * input. If the guest does not become ready, the driver finds out the reason.
 */
#include "test_driver.h"
#include "board_binary.h"
#include "clock.h"

#include <stdlib.h>

/*
 * Times in seconds. If the guest writes nothing for such a time, no more blocks of its dump are expected.
 *
 * SETTLED is the time after a complete dump, if the plan has no prompt. If a guest ends right after its dump, it does
 * so within this time, and bareprof notices it. PATIENCE is the time after an incomplete dump.
 */
#define SETTLED  0.2
#define PATIENCE 1.0

/* The stages of a trial. If a trial ends early, struct trial contains the stage that was not finished. */
enum stage {
	STAGE_BOOT,
	STAGE_RESET,
	STAGE_TEST,
	STAGE_DUMP,
	STAGE_DONE,
};

/* The result of a trial, which is one try of a test. describe() has a sentence for each result. */
enum trial_result {
	TRIAL_PASSED,
	TRIAL_NOT_STARTED, /* no guest could be started */
	TRIAL_TIMEOUT, /* the guest did not finish the stage in time */
	TRIAL_INTERRUPTED, /* a signal to this program ended the trial */
	TRIAL_GUEST_ENDED, /* the guest ended before the test was over */
	TRIAL_NO_DUMP, /* all texts were typed, but no profile arrived */
	TRIAL_FAILED, /* a line of the console matches @fail of the plan */
	TRIAL_NOT_PASSED, /* no line matches @pass of the plan */
};

struct trial {
	const struct plan_test *test;
	enum stage stage;
	enum trial_result result;
	bool has_profile;
	bool from_memory; /* the profile was read from the memory of the guest */
	/* why the guest did not start, or why its dump gave no profile; empty if the guest ran but sent no dump */
	struct error error;
};

/* Forgets the blocks that have arrived. Later blocks belong to a new dump. */
static void expect_dump(struct test_driver *driver)
{
	arrival_start(&driver->by_console, &driver->console, driver->programs);
	side_channel_expect(&driver->channel, driver->programs);
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

static bool is_complete(const struct test_driver *driver)
{
	return driver->by_console.progress.done || driver->channel.arrival.progress.done;
}

/* Returns the seconds since the last output of the console, or 0 while the side channel has unread bytes. */
static double silence(const struct test_driver *driver)
{
	return driver->channel.changed > 0 ? 0 : seconds_now() - driver->guest.last_output;
}

/*
 * Returns whether the guest has sent its dump. The dump may be incomplete. If the plan has a prompt, the guest must
 * also be ready again.
 */
static bool has_dumped(void *context)
{
	struct test_driver *driver = context;
	bool has_prompt = driver->plan->ready.text != NULL;

	driver->tick(driver->context);
	side_channel_poll(&driver->channel, driver->programs, false);
	if (is_complete(driver))
		return has_prompt ? driver->transcript.is_ready : silence(driver) > SETTLED;
	if (silence(driver) <= PATIENCE)
		return false;
	return has_prompt ? driver->transcript.is_ready
	                  : has_ended(&driver->by_console) || has_ended(&driver->channel.arrival);
}

static enum status boot_guest(struct test_driver *driver, struct error *error)
{
	enum status status;

	test_driver_stop(driver);
	status = side_channel_open(&driver->channel, error);
	if (status == STATUS_OK)
		status = board_binary(driver->board, driver->elf, driver->channel.folder, &driver->binary, error);
	if (status != STATUS_OK)
		return status;
	driver->console = (struct console){
		.scan = &driver->by_console.dump.scan,
		.transcript = &driver->transcript,
		.log = driver->log,
	};
	driver->guest = (struct guest){
		.board = driver->board,
		.paths = {driver->elf, driver->binary, driver->channel.path},
		.more = driver->more,
		.console = &driver->console,
		.folder = driver->channel.folder,
		.wants_monitor = driver->no_outside ? MONITOR_NEVER : MONITOR_IF_QEMU,
	};
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

/* Runs @test of a plan without a prompt. Types all texts at once, because nothing shows when each text can be typed. */
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

/* Runs @test in the guest, which may still be booting. Returns the stage that was not finished, or STAGE_DONE. */
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
		buffer_add_text(text, "was reset or switched off without a status, perhaps after a fault");
		break;
	case GUEST_NOT_STARTED:
		buffer_add_text(text, "could not be run: QEMU failed, see its messages above");
		break;
	case GUEST_INTERRUPTED:
		buffer_add_text(text, "was stopped by a signal");
		break;
	default:
		buffer_printf(text, "ended with status %d", guest->status);
		break;
	}
}

static bool is_empty(const struct arrival *arrival)
{
	return !arrival->dump.capture.count && !arrival->dump.scan.damaged_lines;
}

/*
 * Takes the profile of a complete dump, from the console or from the side channel. Returns false if there is no such
 * dump. @error then says what is wrong with the dump, or is empty if no dump arrived.
 */
static bool take_profile(struct test_driver *driver, struct bytes *profile, struct error *error)
{
	struct arrival *arrival = &driver->by_console;

	side_channel_poll(&driver->channel, driver->programs, true);
	if (!arrival->progress.done && (driver->channel.arrival.progress.done || is_empty(arrival)))
		arrival = &driver->channel.arrival;
	error->text[0] = 0;
	if (is_empty(arrival) || dump_receiver_finish(&arrival->dump, NULL, error) != STATUS_OK)
		return false;
	*profile = (struct bytes){arrival->dump.stream.data, arrival->dump.stream.size};
	return true;
}

/*
 * Returns the result of @trial. If the trial did not finish all stages, the guest must already be stopped, so that
 * guest.end says how the guest ended.
 */
static enum trial_result judge(const struct test_driver *driver, const struct trial *trial)
{
	if (trial->stage != STAGE_DONE)
		return driver->guest.end == GUEST_TIMEOUT       ? TRIAL_TIMEOUT
		       : driver->guest.end == GUEST_INTERRUPTED ? TRIAL_INTERRUPTED
		                                                : TRIAL_GUEST_ENDED;
	if (!trial->has_profile)
		return TRIAL_NO_DUMP;
	if (driver->transcript.failed.size)
		return TRIAL_FAILED;
	if (driver->plan->pass.text && !driver->transcript.passed)
		return TRIAL_NOT_PASSED;
	return TRIAL_PASSED;
}

static void describe_timeout(const struct test_driver *driver, const struct trial *trial, struct buffer *text)
{
	uint8_t last = trial->test->text.data[trial->test->text.size - 1];

	switch (trial->stage) {
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
			buffer_add_text(text, "; perhaps the text that is typed for it must end in \\n");
		break;
	default:
		buffer_printf(text, "sent no complete dump within %g seconds", driver->timeout);
		break;
	}
}

/* Appends the reason why @trial ended too early. If its profile had already arrived, the text also says so. */
static void describe_end(const struct test_driver *driver, const struct trial *trial, struct buffer *text)
{
	if (trial->result == TRIAL_TIMEOUT) {
		describe_timeout(driver, trial, text);
	} else if (trial->result == TRIAL_INTERRUPTED) {
		buffer_add_text(text, "was stopped by a signal");
	} else {
		buffer_add_text(text, "its guest ");
		guest_end_text(&driver->guest, driver->timeout, text);
		if (trial->stage == STAGE_BOOT && driver->guest.end != GUEST_NOT_STARTED)
			buffer_add_text(text, " before it was ready");
	}
	if (trial->has_profile && !trial->from_memory)
		buffer_add_text(text, "; its profile had already arrived");
	else if (trial->stage == STAGE_DUMP && trial->error.text[0])
		buffer_printf(text, ": %s", trial->error.text);
	if (trial->from_memory || !trial->has_profile)
		guest_memory_describe(&driver->memory, text);
}

/* Appends the sentence for the result of @trial. Appends nothing if the test passed. */
static void describe(const struct test_driver *driver, const struct trial *trial, struct buffer *text)
{
	const struct buffer *failed = &driver->transcript.failed;

	switch (trial->result) {
	case TRIAL_PASSED:
		break;
	case TRIAL_NOT_STARTED:
		buffer_add_text(text, trial->error.text);
		break;
	case TRIAL_TIMEOUT:
	case TRIAL_INTERRUPTED:
	case TRIAL_GUEST_ENDED:
		describe_end(driver, trial, text);
		break;
	case TRIAL_NO_DUMP:
		buffer_add_text(text, trial->error.text[0] ? "sent no usable dump: " : "sent no dump");
		buffer_add_text(text, trial->error.text);
		break;
	case TRIAL_FAILED:
		buffer_printf(text, "the console has the line '%.*s', which reports a failure",
			(int)(failed->size < 200 ? failed->size : 200), (const char *)failed->data);
		break;
	case TRIAL_NOT_PASSED:
		buffer_printf(text, "no line of the console matches '%s'", driver->plan->pass.text);
		break;
	}
}

/* Returns the kind of failure, as a word for reports. */
static const char *kind_of(enum trial_result result)
{
	static const char *const kinds[] = {
		[TRIAL_PASSED] = "none",
		[TRIAL_NOT_STARTED] = "system",
		[TRIAL_TIMEOUT] = "timeout",
		[TRIAL_INTERRUPTED] = "signal",
		[TRIAL_GUEST_ENDED] = "guest",
		[TRIAL_NO_DUMP] = "dump",
		[TRIAL_FAILED] = "verdict",
		[TRIAL_NOT_PASSED] = "verdict",
	};

	return kinds[result];
}

static void start_transcript(struct test_driver *driver)
{
	struct transcript *transcript = &driver->transcript;
	const struct plan *plan = driver->plan;

	transcript->ready = plan->ready.text ? &plan->ready.regex : NULL;
	transcript->pass = plan->pass.text ? &plan->pass.regex : NULL;
	transcript->fail = plan->fail.text ? &plan->fail.regex : NULL;
	transcript_clear(transcript);
	transcript->is_ready = driver->is_up;
}

/*
 * Takes the profile from the memory of a guest that hung during the test or during its dump. Before, the counts are those
 * of the boot or of an earlier test. Afterwards the guest must be stopped.
 */
static bool take_memory(struct test_driver *driver, struct bytes *profile)
{
	struct dump_receiver *dump = &driver->by_console.dump;
	struct error *error = &driver->memory.error;

	guest_memory_use(&driver->memory, dump);
	if (dump_receiver_finish(dump, NULL, error) != STATUS_OK) {
		driver->memory.capture.size = 0;
		return false;
	}
	*profile = (struct bytes){dump->stream.data, dump->stream.size};
	return true;
}

/*
 * Runs the test in the running guest, and sets *@profile to the profile of the test. Stops the guest if a stage was not
 * finished or no profile arrived.
 */
static void run_trial(struct test_driver *driver, struct trial *trial, struct bytes *profile)
{
	guest_memory_free(&driver->memory);
	trial->stage = run_steps(driver, trial->test);
	if (trial->stage == STAGE_TEST || (trial->stage == STAGE_DUMP && !is_complete(driver)))
		guest_memory_read(&driver->memory, &driver->guest, driver->programs);
	if (trial->stage != STAGE_DONE)
		test_driver_stop(driver);
	transcript_judge(&driver->transcript);
	trial->has_profile = take_profile(driver, profile, &trial->error);
	if (!trial->has_profile && driver->memory.capture.size)
		trial->has_profile = trial->from_memory = take_memory(driver, profile);
	trial->result = judge(driver, trial);
	if (!trial->has_profile)
		test_driver_stop(driver);
}

struct test_outcome test_driver_run(struct test_driver *driver, const struct plan_test *test)
{
	struct test_outcome outcome = {0};
	struct trial trial = {.test = test, .result = TRIAL_NOT_STARTED};
	struct buffer failure = {0};

	start_transcript(driver);
	if (!driver->is_up)
		outcome.fatal = boot_guest(driver, &trial.error);
	if (outcome.fatal == STATUS_OK)
		run_trial(driver, &trial, &outcome.profile);
	/* If QEMU itself fails before the guest has any output, each test would fail. So run no other test. */
	if (trial.result == TRIAL_GUEST_ENDED && driver->guest.end == GUEST_NOT_STARTED && !driver->console.got_output)
		outcome.fatal = STATUS_SYSTEM;
	outcome.never_ready = trial.stage == STAGE_BOOT && trial.result != TRIAL_NOT_STARTED;
	outcome.kind = kind_of(trial.result);
	describe(driver, &trial, &failure);
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
	side_channel_remove(&driver->channel);
	free(driver->binary);
	arrival_free(&driver->by_console);
	guest_memory_free(&driver->memory);
	transcript_free(&driver->transcript);
}
