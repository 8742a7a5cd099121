/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_set.c - adds images to a set, removes them, and retains the profiles of images
 * that are removed.
 */
#include <bareprof/image_set.h>

/* Returns the link that points to @member, or the last link if @member is NULL or not in the set. */
static struct bareprof_set_member **link_to(struct bareprof_set *set, const struct bareprof_set_member *member)
{
	struct bareprof_set_member **at = &set->first;

	while (*at && *at != member)
		at = &(*at)->next;
	return at;
}

void bareprof_set_add(struct bareprof_set *set, struct bareprof_set_member *member, struct bareprof_image *image)
{
	member->next = NULL;
	member->image = image;
	member->version = image->version;
	image->number = (uint16_t)set->numbers++;
	set->changes++;
	*link_to(set, NULL) = member;
}

void bareprof_set_remove(struct bareprof_set *set, struct bareprof_set_member *member)
{
	struct bareprof_set_member **at = link_to(set, member);

	set->changes++;
	if (*at)
		*at = member->next;
}

intptr_t bareprof_set_retain(struct bareprof_set *set, struct bareprof_set_member *member, struct bareprof_dump *dump,
	void *buf, size_t size)
{
	intptr_t n = bareprof_write(dump, member->image, buf, size);

	if (n < 0)
		return n;
	member->retained.start = buf;
	member->retained.size = (size_t)n;
	set->changes++;
	member->image = NULL;
	return n;
}
