/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_value.h - what is known of the number in a register: it is a constant, it is computed from an index, or from an
 * entry of a table that an index selects. Addresses of jumps by tables are such numbers.
 */
#ifndef BAREPROF_HOST_CODE_VALUE_H
#define BAREPROF_HOST_CODE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* No table has more entries. */
#define CODE_INDEX_MAX 0xffffu

enum code_kind {
	CODE_CONSTANT, /* add */
	CODE_INDEX, /* add + (index << left) */
	CODE_ENTRY, /* add + (the entry at table + (index << stride) << left) */
};

/* The index is a number of the program, shifted to the right. */
struct code_value {
	enum code_kind kind;
	uint64_t add;
	unsigned int left;
	uint64_t id; /* of the number: values with the same id come from the same number; 0: not known */
	unsigned int right;
	uint64_t limit; /* the index is at most this */
	uint64_t low_limit; /* the low 32 bits of the number are at most this; only if nothing else is known of it */
	bool checked; /* the code compares the number with the limit. Otherwise the limit comes from its bits only */
	uint64_t table;
	unsigned int stride;
	unsigned int width; /* of an entry, in bytes */
	bool is_signed; /* entries have a sign */
};

/* The id of the low 32 bits of a number is the id of the number with this bit. */
#define CODE_LOW ((uint64_t)1 << 63)

struct code_value code_constant(uint64_t number);

/* code_unknown - a number that is at most @limit. Nothing else is known of the number. Its id is @id. */
struct code_value code_unknown(uint64_t id, uint64_t limit);

/* code_low - the low 32 bits of @value; or a value of the kind code_unknown() with @id. */
struct code_value code_low(struct code_value value, uint64_t id);

/*
 * code_add - @left + (@right << @shift). If @narrow, the sum is cut to 32 bits in a register of 64 bits.
 * code_right - @value >> @shift.
 * code_mask - @value & @mask.
 * code_load - the entry of @width bytes at the address @value. The caller handles constant addresses.
 * If there is no such value, all return a value of the kind code_unknown() with @id.
 */
struct code_value code_add(
	struct code_value left, struct code_value right, unsigned int shift, bool narrow, uint64_t id);
struct code_value code_right(struct code_value value, unsigned int shift, uint64_t id);
struct code_value code_mask(struct code_value value, uint64_t mask, uint64_t id);
struct code_value code_load(struct code_value value, unsigned int width, bool is_signed, uint64_t id);

/* code_at_most - applies to *@value that @compared is at most @limit. */
void code_at_most(struct code_value *value, const struct code_value *compared, uint64_t limit);

/* code_join - a value that may be @left or @right. If there is none, it is a value of code_unknown() with @id. */
struct code_value code_join(const struct code_value *left, const struct code_value *right, uint64_t id);

bool code_same(const struct code_value *left, const struct code_value *right);

#endif
