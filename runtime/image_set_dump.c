/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_set_dump.c - reads a set as one file: one .profraw after the other.
 */
#include <bareprof/image_set.h>

#include "values_serialize.h"

/*
 * The sum of the images' epochs. As long as the members are the same, this sum grows
 * whenever the epoch of one image grows.
 */
static size_t set_epoch(const struct bareprof_set *set)
{
	const struct bareprof_set_member *member;
	size_t sum = 0;

	for (member = set->first; member; member = member->next)
		if (member->image)
			sum += bareprof_epoch(member->image);
	return sum;
}

/* Makes @member the current member. Its bytes start at offset @start of the file. Errors: those of bareprof_open(). */
static int enter(struct bareprof_set_dump *dump, const struct bareprof_set_member *member, size_t start)
{
	dump->at = member;
	dump->start = start;
	if (member->image)
		return bareprof_open(&dump->dump, member->image);
	dump->dump.size = member->retained.size;
	return BAREPROF_OK;
}

/* Returns the offset at which the next member starts. */
static size_t end_of(const struct bareprof_set_dump *dump)
{
	return dump->start + dump->dump.size + BAREPROF_PAD8(dump->dump.size);
}

int bareprof_set_open(struct bareprof_set_dump *dump, const struct bareprof_set *set)
{
	const struct bareprof_set_member *member;

	dump->set = set;
	dump->changes = set->changes;
	dump->epoch = set_epoch(set);
	dump->size = 0;
	for (member = set->first; member; member = member->next) {
		int error = enter(dump, member, dump->size);

		if (error)
			return error;
		if (member->version != set->first->version)
			return BAREPROF_E_MIXED;
		dump->size = end_of(dump);
	}
	return dump->size ? BAREPROF_OK : BAREPROF_E_NO_RECORDS;
}

intptr_t bareprof_set_read(struct bareprof_set_dump *dump, size_t offset, void *buf, size_t n)
{
	uint8_t *to = buf;
	int error = BAREPROF_OK;

	if (dump->changes != dump->set->changes || dump->epoch != set_epoch(dump->set))
		return BAREPROF_E_STALE;
	if (offset < dump->start)
		error = enter(dump, dump->set->first, 0);
	while (n && !error) {
		const struct bareprof_set_member *member = dump->at;
		size_t within = offset - dump->start;
		intptr_t got = 1;

		if (offset >= end_of(dump)) {
			if (!member->next)
				break;
			error = enter(dump, member->next, end_of(dump));
			continue;
		}
		if (within >= dump->dump.size) {
			*to = 0;
		} else if (member->image) {
			got = bareprof_read(&dump->dump, within, to, n);
			if (got < 0)
				return got;
		} else {
			got = (intptr_t)(dump->dump.size - within);
			if ((size_t)got > n)
				got = (intptr_t)n;
			bareprof_copy(to, (const uint8_t *)member->retained.start + within, (size_t)got);
		}
		to += got;
		offset += (size_t)got;
		n -= (size_t)got;
	}
	return error ? error : to - (uint8_t *)buf;
}
