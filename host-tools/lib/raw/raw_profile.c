/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_profile.c - reads a raw profile record by record. A record leads to all data of one function.
 */
#include "raw_profile.h"

#include <inttypes.h>

#define TIMESTAMP_SIZE 8u

/*
 * The facts that determine a record layout. All functions with a parameter of this type are inline.
 * Therefore the compiler can make copies of them for frequent record layouts, as in raw_function().
 */
struct shape {
	unsigned int v; /* raw version */
	unsigned int w; /* pointer width in bytes */
	bool big;
};

#define INLINE static inline __attribute__((always_inline))

/*
 * Converts a pointer in a record to an offset in a section, for example in the section of counters. @pointer comes from
 * record @index. @delta is the distance between the records and the section. The header contains this distance. The
 * offset has as many bits as a pointer. From version 8 on, a pointer is relative to its record.
 */
INLINE uint64_t section_offset(struct shape shape, uint64_t index, uint64_t pointer, uint64_t delta)
{
	if (BAREPROF_RECORD_RELATIVE(shape.v))
		delta -= index * BAREPROF_RECORD_SIZE(shape.v, shape.w);
	return (pointer - delta) & (shape.w == 4 ? UINT32_MAX : UINT64_MAX);
}

/*
 * Reads the timestamp of a function and removes it from the counters. In temporal profiles, the
 * counters of each function start with a timestamp. If a profile counts only function entries, the
 * temporal bit can be set although there is no space for timestamps. In this case, the counters
 * stay as they are.
 */
static void take_timestamp(const struct raw_profile *profile, struct raw_function *function)
{
	struct bytes *counters = &function->counters;
	size_t slots = TIMESTAMP_SIZE / profile->counter_size;

	if (!(profile->version_word & BAREPROF_VARIANT_TEMPORAL) || function->counter_count <= slots)
		return;
	function->timestamp = load_uint(counters->data, TIMESTAMP_SIZE, profile->big);
	if (function->timestamp == UINT64_MAX)
		function->timestamp = 0;
	counters->data += TIMESTAMP_SIZE;
	counters->size -= TIMESTAMP_SIZE;
	function->counter_count -= slots;
}

INLINE enum status take_counters(const struct raw_profile *profile, struct shape shape, uint64_t index,
	const uint8_t *record, struct raw_function *function, struct error *error)
{
	uint64_t count = load_uint(record + BAREPROF_RECORD_NUM_COUNTERS(shape.v, shape.w), 4, shape.big);
	uint64_t pointer = load_uint(record + BAREPROF_RECORD_COUNTER_PTR, shape.w, shape.big);
	uint64_t offset = section_offset(shape, index, pointer, profile->header[BAREPROF_HEADER_COUNTERS_DELTA]);

	if (!count)
		return error_set(error, STATUS_INVALID_INPUT,
			"is malformed: function %" PRIu64 " has no counters" HINT_FETCH_AGAIN, index);
	/* The product cannot overflow, because the count has only 32 bits. */
	if (offset & (profile->counter_size - 1) || !bytes_slice(profile->section[BAREPROF_CNTS], offset,
							    count * profile->counter_size, &function->counters))
		return error_set(error, STATUS_INVALID_INPUT,
			"is malformed: the %" PRIu64 " counters of function %" PRIu64 " at 0x%" PRIx64
			" are not in the counter section, which has %zu bytes" HINT_FETCH_AGAIN,
			count, index, offset, profile->section[BAREPROF_CNTS].size);
	function->counter_count = (size_t)count;
	take_timestamp(profile, function);
	return STATUS_OK;
}

INLINE enum status take_bitmap(const struct raw_profile *profile, struct shape shape, uint64_t index,
	const uint8_t *record, struct raw_function *function, struct error *error)
{
	uint64_t pointer;
	uint64_t size;
	uint64_t offset;

	if (!BAREPROF_RECORD_BITMAP_BYTES(shape.v, shape.w))
		return STATUS_OK;
	size = load_uint(record + BAREPROF_RECORD_BITMAP_BYTES(shape.v, shape.w), 4, shape.big);
	if (!size)
		return STATUS_OK;
	pointer = load_uint(record + BAREPROF_RECORD_BITMAP_PTR(shape.v, shape.w), shape.w, shape.big);
	offset = section_offset(shape, index, pointer, profile->header[BAREPROF_HEADER_BITMAP_DELTA]);
	if (!bytes_slice(profile->section[BAREPROF_BITS], offset, size, &function->bitmap))
		return error_set(error, STATUS_INVALID_INPUT,
			"is malformed: the bitmap of function %" PRIu64
			" is not in the bitmap section" HINT_FETCH_AGAIN,
			index);
	return STATUS_OK;
}

INLINE enum status take_record(const struct raw_profile *profile, struct shape shape, uint64_t index,
	struct raw_function *function, struct error *error)
{
	const uint8_t *record = profile->section[BAREPROF_DATA].data + index * BAREPROF_RECORD_SIZE(shape.v, shape.w);
	enum status status;
	unsigned int kind;

	/*
	 * Each field is set separately. To clear the whole struct first would double the time that
	 * this function takes.
	 */
	function->counters = (struct bytes){NULL, 0};
	function->counter_count = 0;
	function->timestamp = 0;
	function->bitmap = (struct bytes){NULL, 0};
	function->name = load_uint(record + BAREPROF_RECORD_NAME_REF, 8, shape.big);
	function->hash = load_uint(record + BAREPROF_RECORD_FUNC_HASH, 8, shape.big);
	function->address = load_uint(record + BAREPROF_RECORD_FUNCTION_PTR(shape.v, shape.w), shape.w, shape.big);
	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		function->value_sites[kind] =
			kind >= BAREPROF_VALUE_KINDS_OF(shape.v)
				? 0
				: (unsigned int)load_uint(
					  record + BAREPROF_RECORD_VALUE_SITES(shape.v, shape.w) + 2 * kind, 2,
					  shape.big);
	status = take_counters(profile, shape, index, record, function, error);
	return status == STATUS_OK ? take_bitmap(profile, shape, index, record, function, error) : status;
}

/*
 * For the most frequent record layouts, the compiler makes a copy of take_record() in which all offsets are constants.
 * That copy is three times as fast.
 */
enum status raw_function(
	const struct raw_profile *profile, uint64_t index, struct raw_function *function, struct error *error)
{
	struct shape shape = {profile->version, profile->width, profile->big};

	if (shape.w == 8 && !shape.big && shape.v == BAREPROF_RAW_V10)
		return take_record(profile, (struct shape){BAREPROF_RAW_V10, 8, false}, index, function, error);
	if (shape.w == 8 && !shape.big && shape.v == BAREPROF_RAW_V8)
		return take_record(profile, (struct shape){BAREPROF_RAW_V8, 8, false}, index, function, error);
	return take_record(profile, shape, index, function, error);
}

enum status raw_no_name(const struct raw_function *function, uint64_t index, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"is malformed: function %" PRIu64 " has the name hash %016" PRIx64
		", but no name in the names section has this hash" HINT_FETCH_AGAIN,
		index, function->name);
}

bool raw_correlated(const struct raw_profile *profile)
{
	return !profile->records && profile->section[BAREPROF_CNTS].size;
}

/*
 * A build id consists of its length in 8 bytes and the id. From version 8 on, zeros follow up to a
 * multiple of 8 bytes.
 */
bool raw_next_build_id(const struct raw_profile *profile, struct bytes *rest, struct bytes *id)
{
	bool padded = BAREPROF_RECORD_RELATIVE(profile->version);
	uint64_t length = rest->size < 8 ? 0 : load_uint(rest->data, 8, profile->big);
	struct bytes whole;

	if (!length || !bytes_slice(*rest, 8, length, id) ||
		!bytes_slice(*rest, 0, 8 + length + (padded ? BAREPROF_PAD8(length) : 0), &whole))
		return false;
	rest->data += whole.size;
	rest->size -= whole.size;
	return true;
}

bool raw_has_sites(const struct raw_function *function)
{
	unsigned int kind;

	for (kind = 0; kind < RAW_VALUE_KINDS; kind++)
		if (function->value_sites[kind])
			return true;
	return false;
}
