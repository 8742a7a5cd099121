/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merging.c - threads that take one input after the other, each into a model of
 * its own; these are joined at the end. As sums do not depend on the order, the
 * result does not depend on who took what.
 */
#include "merging.h"
#include "bulk.h"
#include "input.h"

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
	uint64_t variants; /* of all inputs that it took */
	enum status status; /* of joining and ending */
	struct error error;
	pthread_t thread;
};

void merging_add(struct merging *merging, const char *path, uint64_t weight)
{
	merging->inputs = grow(merging->inputs, merging->count, &merging->room, sizeof(*merging->inputs));
	merging->inputs[merging->count++] = (struct merge_input){.path = format("%s", path), .weight = weight};
}

/* The model has no kind yet as far as the next input is concerned: it tells its own. */
static void forget_kind(struct model *model, uint64_t *variants)
{
	*variants |= model->variants;
	model->variants = 0;
	model->has_kind = false;
}

/* All or nothing, for merges that go on without what is bad. */
static enum status add_whole(
	struct worker *worker, struct merge_input *in, const struct read_options *options, struct error *error)
{
	struct read_options alone = *options;
	struct model model;
	enum status status;

	alone.bulk = NULL;
	alone.stays = false;
	model_start(&model);
	status = profile_add(&model, worker->input.bytes, &alone, error);
	in->has_kind = model.has_kind;
	in->variants = model.variants;
	if (status == STATUS_OK)
		status = model_join(&worker->model, &model, error);
	model_free(&model);
	return status;
}

/* A single raw profile stays as it is: mapped, if it is large, and not copied into the model. */
static enum status read_single(struct worker *worker, struct merge_input *in, struct error *error)
{
	struct merging *merging = worker->work->merging;
	struct read_options options = merging->options;
	struct bytes bytes;
	enum status status;

	options.add.weight = in->weight;
	options.completing.remarks = &in->remarks;
	options.stays = true;
	if (merging->maps && merging->maps->raw(in->path, &bytes)) {
		status = profile_add(&worker->model, bytes, &options, error);
		/* What looks malformed may only be gone. */
		if (status != STATUS_OK && merging->maps->whole(error) != STATUS_OK)
			status = STATUS_SYSTEM;
	} else {
		status = input_again(&worker->input, in->path, error);
		if (status == STATUS_OK)
			status = profile_add(&worker->model, worker->input.bytes, &options, error);
		model_keep(&worker->model, &worker->input.buffer);
	}
	in->has_kind = worker->model.has_kind;
	in->variants = worker->model.variants;
	return status;
}

static enum status read_one(struct worker *worker, struct merge_input *in, struct error *error)
{
	struct merging *merging = worker->work->merging;
	struct read_options options = merging->options;
	enum status status;

	if (merging->count == 1 && !merging->keep_going)
		return read_single(worker, in, error);
	status = input_again(&worker->input, in->path, error);
	if (status != STATUS_OK)
		return status;
	options.add.weight = in->weight;
	options.completing.remarks = &in->remarks;
	/* One input alone has nothing to be added to. */
	options.bulk = merging->count > 1 ? &worker->bulk : NULL;
	forget_kind(&worker->model, &worker->variants);
	if (merging->keep_going)
		return add_whole(worker, in, &options, error);
	status = profile_add(&worker->model, worker->input.bytes, &options, error);
	in->has_kind = worker->model.has_kind;
	in->variants = worker->model.variants;
	return status;
}

/* The next input; NULL if there is none, or no sense in going on. */
static struct merge_input *take(struct work *work)
{
	struct merging *merging = work->merging;
	struct merge_input *input = NULL;

	pthread_mutex_lock(&work->lock);
	if (work->next < merging->count && (merging->keep_going || work->first_bad == merging->count))
		input = &merging->inputs[work->next++];
	pthread_mutex_unlock(&work->lock);
	return input;
}

static void mark_bad(struct work *work, struct merge_input *input, enum status status, const struct error *error)
{
	size_t index = (size_t)(input - work->merging->inputs);

	input->status = status;
	input->error = allocate(1, sizeof(*input->error));
	*input->error = *error;
	pthread_mutex_lock(&work->lock);
	if (index < work->first_bad)
		work->first_bad = index;
	pthread_mutex_unlock(&work->lock);
}

static void step(struct work *work, uint64_t bytes)
{
	if (!work->merging->step)
		return;
	pthread_mutex_lock(&work->lock);
	work->merging->step(work->merging->context, bytes);
	pthread_mutex_unlock(&work->lock);
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct read_options options = worker->work->merging->options;
	struct merge_input *input;
	enum status status;
	struct error error;

	while ((input = take(worker->work))) {
		status = read_one(worker, input, &error);
		if (status != STATUS_OK)
			mark_bad(worker->work, input, status, &error);
		step(worker->work, worker->input.bytes.size);
	}
	forget_kind(&worker->model, &worker->variants);
	input_free(&worker->input);
	options.bulk = &worker->bulk;
	worker->status = raw_end(&worker->model, &options, &worker->error);
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

/* All must be of kinds that mix with the first's, whichever thread read them. */
static enum status judge_kinds(const struct merging *merging, struct error *error)
{
	const struct merge_input *first = NULL;
	size_t i;

	for (i = 0; i < merging->count; i++) {
		const struct merge_input *in = &merging->inputs[i];

		if (in->status != STATUS_OK || !in->has_kind)
			continue;
		if (!first)
			first = in;
		if (!kinds_mix(first->variants, in->variants))
			return error_set(error, STATUS_INVALID_INPUT,
				"%s has %s and %s has %s, which do not mix: merge each kind by itself",
				input_name(in->path), kind_name(in->variants), input_name(first->path),
				kind_name(first->variants));
	}
	return STATUS_OK;
}

static int by_origin(const void *left, const void *right)
{
	const struct merge_input *a = *(const struct merge_input *const *)left;
	const struct merge_input *b = *(const struct merge_input *const *)right;
	size_t n = a->remarks.origin.size;
	int differ;

	if (n != b->remarks.origin.size)
		return n < b->remarks.origin.size ? -1 : 1;
	differ = memcmp(a->remarks.origin.data, b->remarks.origin.data, n);
	return differ ? differ : (a > b) - (a < b);
}

static bool same_origin(const struct merge_input *a, const struct merge_input *b)
{
	return a->remarks.origin.size == b->remarks.origin.size &&
	       !memcmp(a->remarks.origin.data, b->remarks.origin.data, a->remarks.origin.size);
}

/* Of captures of one boot between which nothing was reset, the later has all that the earlier has. */
static void find_twice(const struct merging *merging)
{
	struct merge_input **inputs = allocate(merging->count, sizeof(*inputs));
	size_t count = 0;
	size_t first = 0;
	size_t i;

	for (i = 0; i < merging->count; i++)
		if (merging->inputs[i].status == STATUS_OK && merging->inputs[i].remarks.origin.size)
			inputs[count++] = &merging->inputs[i];
	qsort(inputs, count, sizeof(*inputs), by_origin);
	for (i = 1; i < count; i++) {
		struct buffer *text = &inputs[i]->remarks.text;

		if (!same_origin(inputs[first], inputs[i])) {
			first = i;
			continue;
		}
		buffer_printf(text,
			"%sis of the same boot as %.1000s with no reset in between, so that counts were added twice: "
			"leave the earlier one out; if they are of two boots, have each send another nonce",
			text->size ? "; " : "", input_name(inputs[first]->path));
	}
	free(inputs);
}

/* All models into the first. */
static enum status join_all(struct worker *worker, unsigned int jobs, struct error *error)
{
	enum status status = STATUS_OK;
	unsigned int i;

	for (i = 0; i < jobs; i++) {
		if (status == STATUS_OK && worker[i].status != STATUS_OK) {
			status = worker[i].status;
			*error = worker[i].error;
		}
		if (status == STATUS_OK && i)
			status = model_join(&worker[0].model, &worker[i].model, error);
		worker[0].variants |= worker[i].variants;
		if (i)
			model_free(&worker[i].model);
	}
	worker[0].model.variants = worker[0].variants;
	worker[0].model.has_kind = true;
	return status;
}

enum status merging_run(struct merging *merging, struct model *model, struct error *error)
{
	struct work work = {.merging = merging, .first_bad = merging->count, .lock = PTHREAD_MUTEX_INITIALIZER};
	unsigned int jobs = merging->jobs ? merging->jobs : worthwhile_jobs(merging);
	struct worker *worker;
	enum status status;
	enum status joined;
	unsigned int i;

	if (jobs > merging->count)
		jobs = merging->count ? (unsigned int)merging->count : 1;
	worker = allocate(jobs, sizeof(*worker));
	for (i = 0; i < jobs; i++) {
		worker[i].work = &work;
		model_start(&worker[i].model);
	}
	run_all(worker, jobs);
	joined = join_all(worker, jobs, error);
	status = judge_kinds(merging, error);
	find_twice(merging);
	model_free(model);
	*model = worker[0].model;
	free(worker);
	return status != STATUS_OK ? status : joined;
}

void merging_free(struct merging *merging)
{
	size_t i;

	for (i = 0; i < merging->count; i++) {
		free(merging->inputs[i].path);
		free(merging->inputs[i].error);
		remarks_free(&merging->inputs[i].remarks);
	}
	free(merging->inputs);
	*merging = (struct merging){0};
}
