/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merging.c - threads that take one input after the other, each into a model of
 * its own; these are joined at the end. As sums do not depend on the order, the
 * result does not depend on who took what.
 */
#include "merging.h"
#include "bulk.h"
#include "input.h"
#include "mapped.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Work for a thread: less is done before it has started. */
#define JOB_BYTES (64u << 20)
#define JOBS_MAX  256u

struct work {
	struct merging *merging;
	size_t next; /* input that nobody has taken */
	size_t first_bad; /* count: none */
	pthread_mutex_t lock;
};

struct worker {
	struct work *work;
	struct model model;
	struct bulk bulk;
	struct input input; /* its memory is used again */
	enum status status; /* of joining and ending */
	struct error error;
	pthread_t thread;
};

void merging_add(struct merging *merging, const char *path, uint64_t weight)
{
	merging->inputs = grow(merging->inputs, merging->count, &merging->room, sizeof(*merging->inputs));
	merging->inputs[merging->count++] = (struct merge_input){.path = format("%s", path), .weight = weight};
}

static enum status list_line(struct merging *merging, char *line, size_t number, struct error *error)
{
	char *comma = strchr(line, ',');
	uint64_t weight = 1;
	char *end;

	if (!*line || *line == '#')
		return STATUS_OK;
	/* A path may have a comma as well: a weight is a number. */
	if (comma && line + strspn(line, "0123456789") == comma) {
		weight = strtoull(line, &end, 10);
		line = comma + 1;
		if (!weight || !*line)
			return error_set(error, STATUS_BAD,
				"line %zu is not of the form PATH or WEIGHT,PATH with a weight of at least 1", number);
	}
	merging_add(merging, line, weight);
	return STATUS_OK;
}

enum status merging_list(struct merging *merging, const char *path, struct error *error)
{
	struct input input;
	enum status status = input_read(&input, path, error);
	size_t number = 0;
	char *text;
	char *line;
	char *rest;

	if (status != STATUS_OK)
		return status;
	rest = text = strndup((const char *)input.bytes.data, input.bytes.size);
	if (!text)
		die_of_memory();
	while (rest && status == STATUS_OK) {
		line = strsep(&rest, "\n");
		line[strcspn(line, "\r")] = 0;
		status = list_line(merging, line, ++number, error);
	}
	free(text);
	input_free(&input);
	return status;
}

/* All or nothing, for merges that go on without what is bad. */
static enum status add_whole(
	struct worker *worker, struct bytes bytes, const struct reading *reading, struct error *error)
{
	struct reading alone = *reading;
	struct model model;
	enum status status;

	alone.bulk = NULL;
	alone.stays = false;
	model_start(&model);
	status = profile_add(&model, bytes, &alone, error);
	if (status == STATUS_OK)
		status = model_join(&worker->model, &model, error);
	model_free(&model);
	return status;
}

/* A single raw profile stays as it is: mapped, if it is large, and not copied into the model. */
static enum status read_single(struct worker *worker, const struct merge_input *in, struct error *error)
{
	struct merging *merging = worker->work->merging;
	struct reading reading = merging->reading;
	struct bytes bytes;
	enum status status;

	reading.weight = in->weight;
	reading.stays = true;
	if (mapped_raw(in->path, &bytes)) {
		status = profile_add(&worker->model, bytes, &reading, error);
		/* What looks malformed may only be gone. */
		return status == STATUS_OK || mapped_whole(error) == STATUS_OK ? status : STATUS_SYSTEM;
	}
	status = input_again(&worker->input, in->path, error);
	if (status == STATUS_OK)
		status = profile_add(&worker->model, worker->input.bytes, &reading, error);
	model_keep(&worker->model, &worker->input.buffer);
	return status;
}

static enum status read_one(struct worker *worker, const struct merge_input *in, struct error *error)
{
	struct merging *merging = worker->work->merging;
	struct reading reading = merging->reading;
	enum status status;

	if (merging->count == 1 && merging->mode == FAIL_ON_ANY)
		return read_single(worker, in, error);
	status = input_again(&worker->input, in->path, error);
	if (status != STATUS_OK)
		return status;
	reading.weight = in->weight;
	/* One input alone has nothing to be added to. */
	reading.bulk = merging->count > 1 ? &worker->bulk : NULL;
	status = merging->mode == FAIL_ON_ANY ? profile_add(&worker->model, worker->input.bytes, &reading, error)
	                                      : add_whole(worker, worker->input.bytes, &reading, error);
	return status;
}

/* The next input; NULL if there is none, or no sense in going on. */
static struct merge_input *take(struct work *work)
{
	struct merging *merging = work->merging;
	struct merge_input *input = NULL;

	pthread_mutex_lock(&work->lock);
	if (work->next < merging->count && (merging->mode != FAIL_ON_ANY || work->first_bad == merging->count))
		input = &merging->inputs[work->next++];
	pthread_mutex_unlock(&work->lock);
	return input;
}

static void mark_bad(struct work *work, struct merge_input *input, const struct error *error)
{
	size_t index = (size_t)(input - work->merging->inputs);

	input->bad = true;
	input->error = allocate(1, sizeof(*input->error));
	*input->error = *error;
	pthread_mutex_lock(&work->lock);
	if (index < work->first_bad)
		work->first_bad = index;
	pthread_mutex_unlock(&work->lock);
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct reading reading = worker->work->merging->reading;
	struct merge_input *input;
	struct error error;

	while ((input = take(worker->work)))
		if (read_one(worker, input, &error) != STATUS_OK)
			mark_bad(worker->work, input, &error);
	input_free(&worker->input);
	reading.bulk = &worker->bulk;
	worker->status = raw_end(&worker->model, &reading, &worker->error);
	return NULL;
}

static unsigned int worthwhile_jobs(const struct merging *merging)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t bytes = 0;
	uint64_t jobs;
	size_t i;

	for (i = 0; i < merging->count; i++) {
		struct stat stat_of;

		if (!stat(merging->inputs[i].path, &stat_of) && S_ISREG(stat_of.st_mode))
			bytes += (uint64_t)stat_of.st_size;
	}
	jobs = bytes / JOB_BYTES;
	if (processors > 0 && jobs > (uint64_t)processors)
		jobs = (uint64_t)processors;
	return jobs ? (unsigned int)(jobs < JOBS_MAX ? jobs : JOBS_MAX) : 1;
}

/* Run all workers; this thread is the first. How many there were is returned. */
static unsigned int run_all(struct worker *worker, unsigned int jobs)
{
	unsigned int started = 1;

	/* If there cannot be more threads, fewer do it. */
	while (started < jobs && !pthread_create(&worker[started].thread, NULL, run_worker, &worker[started]))
		started++;
	run_worker(&worker[0]);
	for (jobs = 1; jobs < started; jobs++)
		pthread_join(worker[jobs].thread, NULL);
	return started;
}

enum status merging_run(struct merging *merging, struct model *model, struct error *error)
{
	struct work work = {.merging = merging, .first_bad = merging->count, .lock = PTHREAD_MUTEX_INITIALIZER};
	unsigned int jobs = merging->jobs ? merging->jobs : worthwhile_jobs(merging);
	enum status status = STATUS_OK;
	struct worker *worker;
	unsigned int i;

	if (jobs > merging->count)
		jobs = merging->count ? (unsigned int)merging->count : 1;
	worker = allocate(jobs, sizeof(*worker));
	for (i = 0; i < jobs; i++) {
		worker[i].work = &work;
		model_start(&worker[i].model);
	}
	run_all(worker, jobs);
	for (i = 0; i < jobs; i++) {
		if (status == STATUS_OK && worker[i].status != STATUS_OK) {
			status = worker[i].status;
			*error = worker[i].error;
		}
		/* The first model is the result; only the others have to be added to it. */
		if (status == STATUS_OK && i)
			status = model_join(&worker[0].model, &worker[i].model, error);
		if (i)
			model_free(&worker[i].model);
	}
	model_free(model);
	*model = worker[0].model;
	free(worker);
	return status;
}

enum status merging_whole(const struct merging *merging, const char **path, struct error *error)
{
	*path = merging->count ? merging->inputs[0].path : NULL;
	return mapped_whole(error);
}

void merging_free(struct merging *merging)
{
	size_t i;

	mapped_end();
	for (i = 0; i < merging->count; i++) {
		free(merging->inputs[i].path);
		free(merging->inputs[i].error);
	}
	free(merging->inputs);
	*merging = (struct merging){0};
}
