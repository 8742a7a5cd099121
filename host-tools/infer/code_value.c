/* SPDX-License-Identifier: BSD-2-Clause */
/* code_value.c - computes with numbers that are partly known. */
#include "code_value.h"

#define SHIFT_MAX 16u

struct code_value code_constant(uint64_t number)
{
	return (struct code_value){.kind = CODE_CONSTANT, .add = number};
}

struct code_value code_unknown(uint64_t id, uint64_t limit)
{
	return (struct code_value){.kind = CODE_INDEX, .id = id, .limit = limit, .low_limit = UINT32_MAX};
}

/* Returns whether @value is the number itself, perhaps shifted to the right. */
static bool is_plain(const struct code_value *value)
{
	return value->kind == CODE_INDEX && !value->add && !value->left;
}

struct code_value code_low(struct code_value value, uint64_t id)
{
	struct code_value low;

	if (value.kind == CODE_CONSTANT)
		return code_constant((uint32_t)value.add);
	if (value.kind == CODE_ENTRY && !value.add && !value.left && !value.is_signed)
		return value;
	if (value.kind == CODE_INDEX && value.limit <= CODE_INDEX_MAX &&
		value.add + (value.limit << value.left) <= UINT32_MAX)
		return value;
	if (is_plain(&value) && value.limit <= UINT32_MAX)
		return value;
	if (!is_plain(&value) || value.right || !value.id)
		return code_unknown(id, UINT32_MAX);
	low = code_unknown(value.id | CODE_LOW, value.low_limit);
	low.checked = value.low_limit < UINT32_MAX;
	return low;
}

struct code_value code_add(
	struct code_value left, struct code_value right, unsigned int shift, bool narrow, uint64_t id)
{
	struct code_value unknown = code_unknown(id, narrow ? UINT32_MAX : UINT64_MAX);
	struct code_value sum;
	bool fits;

	if (shift > SHIFT_MAX && right.kind != CODE_CONSTANT)
		return unknown;
	if (right.kind == CODE_CONSTANT) {
		right = code_constant(right.add << shift);
		shift = 0;
	}
	if (left.kind != CODE_CONSTANT && right.kind == CODE_CONSTANT) {
		sum = left;
		left = right;
	} else {
		sum = right;
	}
	if (left.kind != CODE_CONSTANT || sum.left + shift > SHIFT_MAX)
		return unknown;
	sum.add = (sum.add << shift) + left.add;
	sum.left += shift;
	if (sum.kind == CODE_CONSTANT)
		return code_constant(narrow ? (uint32_t)sum.add : sum.add);
	/* A number that is not limited yet is compared after this sum. So the sum is a number of its own. */
	if (sum.kind == CODE_INDEX && sum.limit > CODE_INDEX_MAX)
		fits = !sum.add && !(narrow && sum.left);
	else
		fits = !narrow || (sum.kind == CODE_INDEX && sum.add + (sum.limit << sum.left) <= UINT32_MAX);
	return fits ? sum : unknown;
}

struct code_value code_right(struct code_value value, unsigned int shift, uint64_t id)
{
	if (shift > 63)
		return code_unknown(id, UINT64_MAX);
	if (value.kind == CODE_CONSTANT)
		return code_constant(value.add >> shift);
	if (!is_plain(&value) || value.right + shift > 63)
		return code_unknown(id, UINT64_MAX >> shift);
	value.right += shift;
	value.limit >>= shift;
	return value;
}

struct code_value code_mask(struct code_value value, uint64_t mask, uint64_t id)
{
	if (value.kind == CODE_CONSTANT)
		return code_constant(value.add & mask);
	/* Other masks leave out some indices. */
	if (mask & (mask + 1))
		return code_unknown(id, UINT64_MAX);
	return is_plain(&value) && value.limit <= mask ? value : code_unknown(id, mask);
}

struct code_value code_load(struct code_value value, unsigned int width, bool is_signed, uint64_t id)
{
	if (value.kind != CODE_INDEX || value.limit > CODE_INDEX_MAX)
		return code_unknown(id, is_signed || width > 4 ? UINT64_MAX : UINT64_MAX >> (64 - 8 * width));
	return (struct code_value){.kind = CODE_ENTRY,
		.limit = value.limit,
		.checked = value.checked,
		.table = value.add,
		.stride = value.left,
		.width = width,
		.is_signed = is_signed};
}

void code_at_most(struct code_value *value, const struct code_value *compared, uint64_t limit)
{
	if (!is_plain(compared) || !compared->id || value->kind != CODE_INDEX)
		return;
	if ((value->id | CODE_LOW) == compared->id && !value->right && !compared->right && limit < value->low_limit)
		value->low_limit = limit;
	if (value->id != compared->id)
		return;
	if (value->right >= compared->right) {
		limit >>= value->right - compared->right;
	} else {
		unsigned int shift = compared->right - value->right;

		if (limit >= UINT64_MAX >> shift)
			return;
		limit = ((limit + 1) << shift) - 1;
	}
	if (limit > value->limit)
		return;
	value->limit = limit;
	value->checked = true;
}

bool code_same(const struct code_value *left, const struct code_value *right)
{
	return left->kind == right->kind && left->add == right->add && left->left == right->left &&
	       left->id == right->id && left->right == right->right && left->limit == right->limit &&
	       left->low_limit == right->low_limit && left->checked == right->checked && left->table == right->table &&
	       left->stride == right->stride && left->width == right->width && left->is_signed == right->is_signed;
}

struct code_value code_join(const struct code_value *left, const struct code_value *right, uint64_t id)
{
	struct code_value joined = *left;

	if (right->limit > joined.limit)
		joined.limit = right->limit;
	if (right->low_limit > joined.low_limit)
		joined.low_limit = right->low_limit;
	joined.checked = left->checked && right->checked;
	/* Only the limits may differ, and only those of the same number. */
	if (left->id && left->kind == CODE_INDEX) {
		struct code_value other = *right;

		other.limit = joined.limit;
		other.low_limit = joined.low_limit;
		other.checked = joined.checked;
		if (code_same(&joined, &other))
			return joined;
	}
	return code_same(left, right) && left->id == right->id && (left->kind != CODE_INDEX || left->id)
	               ? *left
	               : code_unknown(id, left->kind == CODE_INDEX && right->kind == CODE_INDEX && is_plain(left) &&
							  is_plain(right)
						  ? joined.limit
						  : UINT64_MAX);
}
