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
	watch_free(&arrival->watch);
	dump_free(&arrival->dump);
	*arrival = (struct arrival){0};
}

static void arrival_start(struct arrival *arrival, struct console *console, struct programs *programs)
{
	arrival_free(arrival);
	dump_start(&arrival->dump, console ? console_text : NULL, console);
	arrival->dump.completing.programs = programs;
	arrival->watch.capture = &arrival->dump.capture;
	arrival->dump.scan.block = watch_block;
	arrival->dump.scan.context = &arrival->watch;
}

/* From now on a dump is a new one. */
static void expect_dump(struct talk *talk)
{
	arrival_start(&talk->by_console, &talk->console, talk->programs);
	arrival_start(&talk->by_channel, NULL, talk->programs);
	talk->channel_from = talk->channel_size;
	talk->channel_changed = 0;
}

static void read_channel(struct talk *talk)
{
	int fd = open(talk->channel, O_RDONLY | O_CLOEXEC);
	struct buffer content = {0};
	uint8_t piece[65536];
	ssize_t n;

	arrival_start(&talk->by_channel, NULL, talk->programs);
	while (fd >= 0 && (n = pread(fd, piece, sizeof(piece), (off_t)(talk->channel_from + content.size))) > 0)
		buffer_add(&content, piece, (size_t)n);
	if (fd >= 0)
		close(fd);
	scan_bytes(&talk->by_channel.dump.scan, (struct bytes){content.data, content.size});
	buffer_free(&content);
}

/* A part of it may be no part of a block: it is read from the test's start each time, and not while it grows. */
static void look_aside(struct talk *talk, bool at_once)
{
	double now = seconds_now();
	struct stat file;

	if (stat(talk->channel, &file))
		return;
	if ((uint64_t)file.st_size != talk->channel_size) {
		talk->channel_size = (uint64_t)file.st_size;
		talk->channel_changed = now;
	}
	if (talk->channel_changed > 0 && (at_once || now - talk->channel_changed > IDLE)) {
		read_channel(talk);
		talk->channel_changed = 0;
	}
}

static bool is_ready(void *context)
{
	struct talk *talk = context;

	talk->tick(talk->context);
	return talk->transcript.is_ready;
}

static bool has_ended(const struct arrival *arrival)
{
	return arrival->watch.current && arrival->watch.current->ended;
}

static bool has_dumped(void *context)
{
	struct talk *talk = context;
	bool whole;
	double quiet;

	talk->tick(talk->context);
	look_aside(talk, false);
	whole = talk->by_console.watch.done || talk->by_channel.watch.done;
	quiet = talk->channel_changed > 0 ? 0 : seconds_now() - talk->guest.heard;
	if (talk->plan->ready.text)
		return talk->transcript.is_ready && (whole || quiet > PATIENCE);
	return whole ? quiet > SETTLED
	             : quiet > PATIENCE && (has_ended(&talk->by_console) || has_ended(&talk->by_channel));
}

enum status side_channel(char **folder, char **path, struct error *error)
{
	enum status status = temporary_folder(folder, error);

	if (status != STATUS_OK)
		return status;
	*path = format("%s/dump", *folder);
	return output_write(*path, (struct bytes){NULL, 0}, error);
}

static enum status boot(struct talk *talk, struct error *error)
{
	enum status status = STATUS_OK;

	talk_stop(talk);
	if (talk->folder)
		status = output_write(talk->channel, (struct bytes){NULL, 0}, error);
	else
		status = side_channel(&talk->folder, &talk->channel, error);
	if (status != STATUS_OK)
		return status;
	talk->console = (struct console){
		.scan = &talk->by_console.dump.scan,
		.transcript = &talk->transcript,
		.log = talk->log,
	};
	talk->guest = (struct guest){
		.board = talk->board,
		.elf = talk->elf,
		.more = talk->more,
		.dump = talk->channel,
		.console = &talk->console,
	};
	talk->channel_size = 0;
	expect_dump(talk);
	status = qemu_start(&talk->guest, error);
	talk->up = status == STATUS_OK;
	return status;
}

void talk_stop(struct talk *talk)
{
	if (talk->up)
		qemu_end(&talk->guest);
	talk->up = false;
}

static bool wait_for(struct talk *talk, double until, bool (*enough)(void *context))
{
	return qemu_wait(&talk->guest, until, enough, talk) == GUEST_RUNS;
}

static void type(struct talk *talk, const struct buffer *text)
{
	qemu_type(&talk->guest, (struct bytes){text->data, text->size});
}

/* Where there is no prompt to wait for: all at once. */
static enum stage go_blindly(struct talk *talk, const struct plan_test *test, double until)
{
	expect_dump(talk);
	transcript_mark(&talk->transcript);
	talk->transcript.judging = true;
	type(talk, &talk->plan->reset);
	type(talk, &test->text);
	type(talk, &talk->plan->dump);
	return wait_for(talk, until, has_dumped) ? STAGE_DONE : STAGE_DUMP;
}

/* How far it came. */
static enum stage go(struct talk *talk, const struct plan_test *test)
{
	const struct plan *plan = talk->plan;
	bool has_prompt = plan->ready.text != NULL;
	double until = seconds_now() + talk->timeout;

	if (has_prompt && !talk->transcript.is_ready && !wait_for(talk, until, is_ready))
		return STAGE_BOOT;
	until = seconds_now() + talk->timeout;
	if (!has_prompt)
		return go_blindly(talk, test, until);
	expect_dump(talk);
	transcript_mark(&talk->transcript);
	type(talk, &plan->reset);
	if (!wait_for(talk, until, is_ready))
		return STAGE_RESET;
	expect_dump(talk);
	transcript_mark(&talk->transcript);
	talk->transcript.judging = true;
	type(talk, &test->text);
	if (!wait_for(talk, until, is_ready))
		return STAGE_TEST;
	transcript_judge(&talk->transcript);
	expect_dump(talk);
	transcript_mark(&talk->transcript);
	type(talk, &plan->dump);
	return wait_for(talk, until, has_dumped) ? STAGE_DONE : STAGE_DUMP;
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
	const struct talk *talk, enum stage stage, const struct plan_test *test, struct buffer *why)
{
	uint8_t last = test->text.data[test->text.size - 1];

	switch (stage) {
	case STAGE_BOOT:
		buffer_printf(why, "its guest was not ready within %g seconds: no line of the console matches '%s'",
			talk->timeout, talk->plan->ready.text);
		break;
	case STAGE_RESET:
		buffer_printf(why, "its guest was not ready again within %g seconds after the reset", talk->timeout);
		break;
	case STAGE_TEST:
		buffer_printf(why, "did not end within %g seconds", talk->timeout);
		if (last != '\n' && last != '\r')
			buffer_add_text(why, "; does what is typed for it lack a \\n?");
		break;
	default:
		buffer_printf(why, "sent no whole dump within %g seconds", talk->timeout);
		break;
	}
	return "timeout";
}

/* The guest, which has been ended, did not get further than @stage. */
static const char *add_end(const struct talk *talk, enum stage stage, const struct plan_test *test, struct buffer *why)
{
	if (talk->guest.end == GUEST_TIMEOUT)
		return add_timeout(talk, stage, test, why);
	if (talk->guest.end == GUEST_INTERRUPTED) {
		buffer_add_text(why, "was cut short by a signal");
		return "signal";
	}
	buffer_add_text(why, "its guest ");
	guest_end_text(&talk->guest, talk->timeout, why);
	if (stage == STAGE_BOOT && talk->guest.end != GUEST_NOT_STARTED)
		buffer_add_text(why, " before it was ready");
	return "guest";
}

static bool is_empty(const struct arrival *arrival)
{
	return !arrival->dump.capture.count && !arrival->dump.scan.damaged_lines;
}

/* The profile of a whole dump, by whichever way it came; else what is wrong with it, if there is one at all. */
static bool take_profile(struct talk *talk, struct trial *trial, struct error *error)
{
	struct arrival *arrival = &talk->by_console;

	look_aside(talk, true);
	if (!arrival->watch.done && (talk->by_channel.watch.done || is_empty(arrival)))
		arrival = &talk->by_channel;
	error->text[0] = 0;
	if (is_empty(arrival) || dump_finish(&arrival->dump, NULL, error) != STATUS_OK)
		return false;
	trial->profile = (struct bytes){arrival->dump.stream.data, arrival->dump.stream.size};
	return true;
}

/* What @error says of the dump, after what is in @why; the kind of failure. */
static const char *add_dump(const struct error *error, const char *kind, struct buffer *why)
{
	if (why->size && error->text[0])
		buffer_printf(why, ": %s", error->text);
	if (why->size)
		return kind;
	buffer_printf(why, error->text[0] ? "sent no usable dump: %s" : "sent no dump", error->text);
	return "dump";
}

static const char *add_verdict(const struct talk *talk, struct buffer *why)
{
	const struct transcript *transcript = &talk->transcript;

	if (transcript->failed.size)
		buffer_printf(why, "the console says '%.*s'",
			(int)(transcript->failed.size < 200 ? transcript->failed.size : 200),
			(const char *)transcript->failed.data);
	else if (talk->plan->pass.text && !transcript->passed)
		buffer_printf(why, "no line of the console matches '%s'", talk->plan->pass.text);
	return "verdict";
}

struct trial talk_try(struct talk *talk, const struct plan_test *test)
{
	struct trial trial = {.kind = "system"};
	struct buffer why = {0};
	struct error error;
	enum stage stage;
	bool whole;

	talk->transcript.ready = talk->plan->ready.text ? &talk->plan->ready.regex : NULL;
	talk->transcript.pass = talk->plan->pass.text ? &talk->plan->pass.regex : NULL;
	talk->transcript.fail = talk->plan->fail.text ? &talk->plan->fail.regex : NULL;
	transcript_clear(&talk->transcript);
	talk->transcript.is_ready = talk->up;
	if (!talk->up)
		trial.fatal = boot(talk, &error);
	if (trial.fatal != STATUS_OK) {
		trial.why = format("%s", error.text);
		return trial;
	}
	stage = go(talk, test);
	if (stage != STAGE_DONE) {
		talk_stop(talk);
		trial.kind = add_end(talk, stage, test, &why);
		trial.never_ready = stage == STAGE_BOOT;
		/* QEMU can fall over later, too. */
		if (talk->guest.end == GUEST_NOT_STARTED && !talk->console.heard)
			trial.fatal = STATUS_SYSTEM;
	}
	transcript_judge(&talk->transcript);
	whole = take_profile(talk, &trial, &error);
	if (whole && why.size)
		buffer_add_text(&why, "; its profile had already arrived");
	else if (whole)
		trial.kind = add_verdict(talk, &why);
	else if (!why.size || stage == STAGE_DUMP)
		trial.kind = add_dump(&error, trial.kind, &why);
	if (!whole)
		talk_stop(talk);
	if (why.size)
		trial.why = format("%s", buffer_string(&why));
	buffer_free(&why);
	return trial;
}

char *talk_end(struct talk *talk)
{
	struct buffer why = {0};
	char *text = NULL;

	if (!talk->up)
		return NULL;
	if (!talk->plan->end.size) {
		talk_stop(talk);
		return NULL;
	}
	type(talk, &talk->plan->end);
	qemu_wait(&talk->guest, seconds_now() + talk->timeout, NULL, NULL);
	talk_stop(talk);
	if (talk->guest.end != GUEST_EXITED || talk->guest.status) {
		guest_end_text(&talk->guest, talk->timeout, &why);
		text = format("%s", buffer_string(&why));
	}
	buffer_free(&why);
	return text;
}

void talk_free(struct talk *talk)
{
	talk_stop(talk);
	temporary_remove(talk->folder);
	free(talk->folder);
	free(talk->channel);
	arrival_free(&talk->by_console);
	arrival_free(&talk->by_channel);
	transcript_free(&talk->transcript);
}
