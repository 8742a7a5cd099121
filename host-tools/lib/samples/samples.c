/* SPDX-License-Identifier: BSD-2-Clause */
/* samples.c - collects samples of the program counter, and adds up samples of several dumps. */
#include "samples.h"

#include <inttypes.h>
#include <stdlib.h>

void samples_add(struct samples *samples, uint64_t address, uint64_t count, const uint64_t *stack, uint32_t depth)
{
	struct sample *sample;
	uint32_t i;

	samples->list = array_grow(samples->list, samples->count, &samples->room, sizeof(*samples->list));
	sample = &samples->list[samples->count++];
	*sample = (struct sample){address, count, samples->address_count, depth};
	for (i = 0; i < depth; i++) {
		samples->addresses = array_grow(samples->addresses, samples->address_count, &samples->address_room,
			sizeof(*samples->addresses));
		samples->addresses[samples->address_count++] = stack[i];
	}
}

static int compare_samples(const void *left, const void *right, void *context)
{
	const uint64_t *addresses = context;
	const struct sample *a = left;
	const struct sample *b = right;
	int order = compare_uint(a->address, b->address);
	uint32_t i;

	for (i = 0; !order && i < a->depth && i < b->depth; i++)
		order = compare_uint(addresses[a->stack + i], addresses[b->stack + i]);
	return order ? order : compare_uint(a->depth, b->depth);
}

void samples_sort(struct samples *samples)
{
	size_t kept = 0;
	size_t i;

	if (!samples->count)
		return;
	qsort_r(samples->list, samples->count, sizeof(*samples->list), compare_samples, samples->addresses);
	for (i = 1; i < samples->count; i++) {
		struct sample *last = &samples->list[kept];

		if (compare_samples(last, &samples->list[i], samples->addresses))
			samples->list[++kept] = samples->list[i];
		else
			last->count = add_saturating(last->count, samples->list[i].count);
	}
	samples->count = kept + 1;
	samples->sorted = samples->count;
}

uint64_t samples_total(const struct samples *samples)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < samples->count; i++)
		total = add_saturating(total, samples->list[i].count);
	return total;
}

enum status samples_other_link(struct bytes found, struct bytes expected, struct error *error)
{
	struct buffer text = {0};

	buffer_add_text(&text, "has samples of another link: their build id is ");
	buffer_add_hex(&text, found);
	buffer_add_text(&text, ", and not ");
	buffer_add_hex(&text, expected);
	error_set(
		error, STATUS_INVALID_INPUT, "%s; give the samples and the ELF file of one link", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

static struct bytes id_of(const struct samples *samples)
{
	return (struct bytes){samples->build_id.data, samples->build_id.size};
}

static enum status merge_ids(
	struct samples *samples, const struct samples *other, struct buffer *note, struct error *error)
{
	struct bytes ours = id_of(samples);
	struct bytes theirs = id_of(other);

	if (ours.size && theirs.size)
		return bytes_equal(ours, theirs) ? STATUS_OK : samples_other_link(theirs, ours, error);
	if (samples->any && ours.size != theirs.size)
		buffer_add_clause(note, "build ids were not compared, because some samples have none");
	buffer_add(&samples->build_id, theirs.data, theirs.size);
	return STATUS_OK;
}

enum status samples_merge(
	struct samples *samples, const struct samples *other, struct buffer *note, struct error *error)
{
	enum status status;
	size_t i;

	if (samples->any && samples->shift != other->shift)
		return error_set(error, STATUS_INVALID_INPUT,
			"has samples whose addresses stand for %" PRIu64 " bytes, but those of the other samples stand "
			"for %" PRIu64 "; merge only samples of one kind",
			(uint64_t)1 << other->shift, (uint64_t)1 << samples->shift);
	status = merge_ids(samples, other, note, error);
	if (status != STATUS_OK)
		return status;
	if (samples->any && samples->rate != other->rate) {
		buffer_add_clause(note,
			"the samples have different rates (%" PRIu64 " and %" PRIu64 " Hz), so the result has none",
			samples->rate, other->rate);
		samples->rate = 0;
	} else {
		samples->rate = other->rate;
	}
	samples->cpus = samples->cpus > other->cpus ? samples->cpus : other->cpus;
	samples->dropped = add_saturating(samples->dropped, other->dropped);
	samples->outside = add_saturating(samples->outside, other->outside);
	samples->shift = other->shift;
	samples->any = true;
	for (i = 0; i < other->count; i++) {
		const struct sample *sample = &other->list[i];

		samples_add(samples, sample->address, sample->count,
			sample->depth ? other->addresses + sample->stack : NULL, sample->depth);
	}
	/* Equal samples of many dumps must not fill the memory, and sorting after each dump would take too long. */
	if (samples->count / 2 >= samples->sorted)
		samples_sort(samples);
	return STATUS_OK;
}

void samples_free(struct samples *samples)
{
	free(samples->list);
	free(samples->addresses);
	buffer_free(&samples->build_id);
	*samples = (struct samples){0};
}
