/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_job.c - reads inputs in several threads. Each thread reads one input after the other into a
 * model of its own, and in the end these models are joined. The result does not depend on which
 * thread read which input, because sums do not depend on the order of the inputs.
 */
#include "merge_job.h"
#include "section_sums.h"
#include "input.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * One thread is started for each JOB_BYTES bytes of input. The number of threads is at most JOBS_MAX, and at most the
 * number of CPUs.
 * A thread for fewer bytes would not save time, because starting a thread takes as long as reading these bytes.
 */
#define JOB_BYTES (64u << 20)
#define JOBS_MAX  256u

struct worker;

/*
 * A function that reads @in into worker->model. @options are the options for this input. Errors:
 * SYSTEM, INVALID_INPUT.
 */
typedef enum status read_strategy(
	struct worker *worker, struct merge_input *in, const struct read_options *options, struct error *error);

struct work_queue {
	struct merge_job *job;
	read_strategy *read; /* the function that reads an input, the same for all inputs */
	size_t next; /* index of the first input that no worker has taken */
	size_t first_bad; /* index of the first bad input; job->count: no input is bad */
	pthread_mutex_t lock;
};

struct worker {
	struct work_queue *work;
	/* the sum of the inputs that this worker has read; its has_kind and variants are cleared after each input */
	struct model model;
	struct section_sums sums;
	struct input input; /* the current input; the next input is read into the same buffer */
	uint64_t variants; /* the variants of all inputs that this worker has read */
	enum status status; /* result of raw_read_end() */
	struct error error;
	pthread_t thread;
};

void merge_job_add(struct merge_job *job, const char *path, uint64_t weight)
{
	job->inputs = array_grow(job->inputs, job->count, &job->room, sizeof(*job->inputs));
	job->inputs[job->count++] = (struct merge_input){.path = format("%s", path), .weight = weight};
}

/*
 * Reads the only input of a job. If that input is bad, the job fails, and the caller does not use
 * the model. So the model may contain a part of a bad input. Large files are mapped. The model uses
 * the bytes of the input directly, instead of a copy.
 */
static enum status read_single(
	struct worker *worker, struct merge_input *in, const struct read_options *options, struct error *error)
{
	const struct file_maps *maps = worker->work->job->maps;
	struct read_options single = *options;
	struct bytes bytes;
	enum status status;

	single.input_outlives_model = true;
	if (maps && maps->map(maps->context, in->path, &bytes)) {
		status = profile_read(&worker->model, bytes, &single, error);
		/*
		 * A profile looks malformed if its file was truncated while it was read. In this case, report the
		 * truncation instead.
		 */
		if (status != STATUS_OK && maps->check(maps->context, error) != STATUS_OK)
			status = STATUS_SYSTEM;
		return status;
	}
	status = input_again(&worker->input, in->path, error);
	if (status == STATUS_OK)
		status = profile_read(&worker->model, worker->input.bytes, &single, error);
	model_keep(&worker->model, &worker->input.buffer);
	return status;
}

/*
 * Reads one input of a job that leaves out bad inputs (keep_going). The input is first read into a
 * model of its own. If that succeeds, this model is joined to the worker's model.
 */
static enum status read_all_or_nothing(
	struct worker *worker, struct merge_input *in, const struct read_options *options, struct error *error)
{
	struct model model;
	enum status status = input_again(&worker->input, in->path, error);

	if (status != STATUS_OK)
		return status;
	model_start(&model);
	status = profile_read(&model, worker->input.bytes, options, error);
	if (status == STATUS_OK)
		status = model_join(&worker->model, &model, error);
	model_free(&model);
	return status;
}

/*
 * Reads one of several inputs of a job that fails at the first bad input. The counts are added to the
 * worker's model, or to the section sum of an image. raw_read_end() adds the section sums to the
 * model later. If the input is bad, the model or the sum may keep a part of its counts.
 */
static enum status read_and_sum(
	struct worker *worker, struct merge_input *in, const struct read_options *options, struct error *error)
{
	struct read_options summed = *options;
	enum status status = input_again(&worker->input, in->path, error);

	summed.sums = &worker->sums;
	return status == STATUS_OK ? profile_read(&worker->model, worker->input.bytes, &summed, error) : status;
}

static read_strategy *choose_strategy(const struct merge_job *job)
{
	if (job->keep_going)
		return read_all_or_nothing;
	return job->count == 1 ? read_single : read_and_sum;
}

/*
 * Moves the kind of the last input from the worker's model to @in. If the model kept this kind, it would refuse an
 * input of a different kind. Such an error would depend on chance, because chance decides which inputs a worker reads.
 * Therefore check_kinds() compares the kinds of all inputs in the end.
 */
static void note_kind(struct worker *worker, struct merge_input *in)
{
	in->has_kind = worker->model.has_kind;
	in->variants = worker->model.variants;
	worker->variants |= in->variants;
	worker->model.has_kind = false;
	worker->model.variants = 0;
}

static enum status read_input(struct worker *worker, struct merge_input *in, struct error *error)
{
	struct read_options options = worker->work->job->options;
	enum status status;

	options.add.weight = in->weight;
	options.completion.report = &in->report;
	options.sums = NULL;
	options.add_dumps = true;
	options.input_outlives_model = false;
	status = worker->work->read(worker, in, &options, error);
	note_kind(worker, in);
	return status;
}

/* Returns the next input. Returns NULL if no input is left, or if the job has already failed. */
static struct merge_input *next_input(struct work_queue *work)
{
	struct merge_job *job = work->job;
	struct merge_input *input = NULL;

	pthread_mutex_lock(&work->lock);
	if (work->next < job->count && (job->keep_going || work->first_bad == job->count))
		input = &job->inputs[work->next++];
	pthread_mutex_unlock(&work->lock);
	return input;
}

static void mark_bad(struct work_queue *work, struct merge_input *input, enum status status, const struct error *error)
{
	size_t index = (size_t)(input - work->job->inputs);

	input->status = status;
	input->error = allocate(1, sizeof(*input->error));
	*input->error = *error;
	pthread_mutex_lock(&work->lock);
	if (index < work->first_bad)
		work->first_bad = index;
	pthread_mutex_unlock(&work->lock);
}

static void report_progress(struct work_queue *work, uint64_t bytes)
{
	if (!work->job->progress)
		return;
	pthread_mutex_lock(&work->lock);
	work->job->progress(work->job->context, bytes);
	pthread_mutex_unlock(&work->lock);
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct read_options options = worker->work->job->options;
	struct merge_input *input;
	enum status status;
	struct error error;

	while ((input = next_input(worker->work))) {
		status = read_input(worker, input, &error);
		if (status != STATUS_OK)
			mark_bad(worker->work, input, status, &error);
		report_progress(worker->work, worker->input.bytes.size);
	}
	input_free(&worker->input);
	options.sums = &worker->sums;
	worker->status = raw_read_end(&worker->model, &options, &worker->error);
	return NULL;
}

static unsigned int worthwhile_jobs(const struct merge_job *job)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t bytes = 0;
	uint64_t jobs;
	size_t i;

	for (i = 0; i < job->count; i++) {
		struct stat stat_of;

		if (!stat(job->inputs[i].path, &stat_of) && S_ISREG(stat_of.st_mode))
			bytes += (uint64_t)stat_of.st_size;
	}
	jobs = bytes / JOB_BYTES;
	if (processors > 0 && jobs > (uint64_t)processors)
		jobs = (uint64_t)processors;
	return jobs ? (unsigned int)(jobs < JOBS_MAX ? jobs : JOBS_MAX) : 1;
}

/* Runs all workers. The first worker runs in the calling thread. */
static void run_all(struct worker *worker, unsigned int jobs)
{
	unsigned int started = 1;

	/* If a thread cannot be created, the other threads do the work of that thread. */
	while (started < jobs && !pthread_create(&worker[started].thread, NULL, run_worker, &worker[started]))
		started++;
	run_worker(&worker[0]);
	for (jobs = 1; jobs < started; jobs++)
		pthread_join(worker[jobs].thread, NULL);
}

/*
 * Compares the kinds of all inputs with the kind of the first input. The result does not depend on
 * which threads read the inputs.
 */
static enum status check_kinds(const struct merge_job *job, struct error *error)
{
	const struct merge_input *first = NULL;
	size_t i;

	for (i = 0; i < job->count; i++) {
		const struct merge_input *in = &job->inputs[i];

		if (in->status != STATUS_OK || !in->has_kind)
			continue;
		if (!first)
			first = in;
		if (!kinds_mix(first->variants, in->variants))
			return error_set(error, STATUS_INVALID_INPUT,
				"%s has %s, but %s has %s, and these two kinds cannot be merged: "
				"merge the inputs of each kind separately",
				input_name(in->path), kind_name(in->variants), input_name(first->path),
				kind_name(first->variants));
	}
	return STATUS_OK;
}

static int by_origin(const void *left, const void *right)
{
	const struct merge_input *a = *(const struct merge_input *const *)left;
	const struct merge_input *b = *(const struct merge_input *const *)right;
	size_t n = a->report.origin.size;
	int differ;

	if (n != b->report.origin.size)
		return n < b->report.origin.size ? -1 : 1;
	differ = memcmp(a->report.origin.data, b->report.origin.data, n);
	return differ ? differ : (a > b) - (a < b);
}

/*
 * Finds inputs that are captures from the same boot with no reset between them. Of two such captures, the later one
 * contains all counts of the earlier one, so these counts were added twice. Every capture of the boot except the first
 * gets a warning.
 */
static void warn_of_repeated_captures(const struct merge_job *job)
{
	struct merge_input **inputs = allocate(job->count, sizeof(*inputs));
	size_t count = 0;
	size_t first = 0;
	size_t i;

	for (i = 0; i < job->count; i++)
		if (job->inputs[i].status == STATUS_OK && job->inputs[i].report.origin.size)
			inputs[count++] = &job->inputs[i];
	qsort(inputs, count, sizeof(*inputs), by_origin);
	for (i = 1; i < count; i++) {
		struct buffer *text = &inputs[i]->report.warning;

		if (!completion_same_origin(&inputs[first]->report, &inputs[i]->report)) {
			first = i;
			continue;
		}
		if (text->size)
			buffer_add_text(text, "; ");
		completion_add_repeated(text, input_name(inputs[first]->path));
	}
	free(inputs);
}

/* Joins the models of all workers to the first worker's model. */
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

enum status merge_job_run(struct merge_job *job, struct model *model, struct error *error)
{
	struct work_queue work = {
		.job = job, .read = choose_strategy(job), .first_bad = job->count, .lock = PTHREAD_MUTEX_INITIALIZER};
	unsigned int jobs = job->jobs ? job->jobs : worthwhile_jobs(job);
	struct worker *worker;
	enum status status;
	enum status joined;
	unsigned int i;

	if (jobs > job->count)
		jobs = job->count ? (unsigned int)job->count : 1;
	worker = allocate(jobs, sizeof(*worker));
	for (i = 0; i < jobs; i++) {
		worker[i].work = &work;
		model_start(&worker[i].model);
	}
	run_all(worker, jobs);
	joined = join_all(worker, jobs, error);
	status = check_kinds(job, error);
	warn_of_repeated_captures(job);
	model_free(model);
	*model = worker[0].model;
	free(worker);
	return status != STATUS_OK ? status : joined;
}

void merge_job_free(struct merge_job *job)
{
	size_t i;

	for (i = 0; i < job->count; i++) {
		free(job->inputs[i].path);
		free(job->inputs[i].error);
		completion_report_free(&job->inputs[i].report);
	}
	free(job->inputs);
	*job = (struct merge_job){0};
}
