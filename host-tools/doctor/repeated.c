/* SPDX-License-Identifier: BSD-2-Clause */
/* repeated.c - finds profiles whose counts another profile has, too, and which must not be added twice. */
#include "doctor.h"

/* Returns whether @b has all counts of @a. Sets *@equal if the counts are the same. */
static bool has_counts(struct doctor_file *a, struct doctor_file *b, bool *equal)
{
	size_t i;
	uint32_t k;

	*equal = a->model.count == b->model.count;
	if (a->model.variants != b->model.variants)
		return false;
	for (i = 0; i < a->model.count; i++) {
		const struct function *one = &a->model.functions[i];
		const struct function *other = model_find(&b->model, one->reference, one->hash);

		if (!other || other->counter_count != one->counter_count || other->bitmap_size != one->bitmap_size)
			return false;
		for (k = 0; k < one->counter_count; k++) {
			if (one->counters[k] > other->counters[k])
				return false;
			*equal = *equal && one->counters[k] == other->counters[k];
		}
		for (k = 0; k < one->bitmap_size; k++) {
			if (one->bitmap[k] & ~other->bitmap[k])
				return false;
			*equal = *equal && one->bitmap[k] == other->bitmap[k];
		}
	}
	return true;
}

/* Returns whether both are dumps of one boot, with no reset between them. */
static bool same_boot(const struct doctor_file *a, const struct doctor_file *b)
{
	return a->origin.size && a->origin.size == b->origin.size &&
	       !memcmp(a->origin.data, b->origin.data, a->origin.size);
}

/* Returns whether the profiles may come from one program. */
static bool one_program(const struct doctor_file *a, const struct doctor_file *b)
{
	bool same_id = a->id.size == b->id.size && (!a->id.size || !memcmp(a->id.data, b->id.data, a->id.size));

	return a->fits == b->fits && (!a->id.size || !b->id.size || same_id);
}

static void tell(struct doctor_file *file, const struct doctor_file *other, bool equal)
{
	file->within = other;
	if (equal)
		buffer_printf(&file->what, ", the same counts as %.1000s", other->path);
	else
		buffer_printf(&file->what, ", of the same boot as %.1000s, which has all of its counts", other->path);
}

static void compare(struct doctor_file *a, struct doctor_file *b)
{
	bool equal;

	if (!one_program(a, b))
		return;
	if (has_counts(b, a, &equal) && (equal || same_boot(a, b)))
		tell(b, a, equal);
	else if (same_boot(a, b) && has_counts(a, b, &equal))
		tell(a, b, equal);
}

void doctor_repeated(struct doctor *doctor)
{
	size_t i;
	size_t k;

	for (i = 0; i < doctor->count; i++)
		for (k = i + 1; k < doctor->count && !doctor->files[i].within; k++) {
			struct doctor_file *a = &doctor->files[i];
			struct doctor_file *b = &doctor->files[k];

			if (a->readable && b->readable && a->model.count && b->model.count && !b->within)
				compare(a, b);
		}
}
