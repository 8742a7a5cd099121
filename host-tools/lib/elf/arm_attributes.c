/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm_attributes.c - parses the section .ARM.attributes. The document "Addenda to, and errata in, the
 * ABI for the Arm Architecture" describes it. The section has a subsection for each vendor, with a list of
 * tags and values.
 */
#include "arm_attributes.h"

#include <string.h>

#define VERSION          'A'
#define VENDOR           "aeabi"
#define FILE_SCOPE       1
#define CPU_RAW_NAME     4
#define CPU_NAME         5
#define CPU_ARCH_PROFILE 7
#define COMPATIBILITY    32

static struct cursor take_part(struct cursor *cursor, uint64_t size)
{
	struct bytes part = take_bytes(cursor, size);
	struct cursor inner = cursor_of(part);

	inner.failed = cursor->failed;
	return inner;
}

/*
 * Returns a cursor over the content of a subsection, and moves @cursor to the end of the subsection.
 * Before the call, @cursor must be at the size of the subsection. This size includes the @header
 * bytes before the content.
 */
static struct cursor take_sized(struct cursor *cursor, bool big, unsigned int header)
{
	struct bytes number = take_bytes(cursor, 4);
	uint64_t size = cursor->failed ? 0 : load_uint(number.data, 4, big);

	cursor->failed |= size < header;
	return take_part(cursor, cursor->failed ? 0 : size - header);
}

static void skip_text(struct cursor *cursor)
{
	const uint8_t *zero =
		cursor->at < cursor->end ? memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at)) : NULL;

	cursor->failed |= !zero;
	if (zero)
		cursor->at = zero + 1;
}

/*
 * Returns whether the value of @tag is a text. All other values are numbers. Two tags below 32 have
 * a text, and so do all odd tags above 32.
 */
static bool has_text(uint64_t tag)
{
	return tag == CPU_RAW_NAME || tag == CPU_NAME || (tag > COMPATIBILITY && tag % 2);
}

static char find_profile(struct cursor attributes)
{
	while (!attributes.failed && attributes.at < attributes.end) {
		uint64_t tag = take_uleb(&attributes);
		uint64_t value = has_text(tag) ? 0 : take_uleb(&attributes);

		if (has_text(tag) || tag == COMPATIBILITY)
			skip_text(&attributes);
		if (!attributes.failed && tag == CPU_ARCH_PROFILE)
			return value == 'A' || value == 'R' || value == 'M' ? (char)value : 0;
	}
	return 0;
}

char arm_profile(struct bytes section, bool big)
{
	struct cursor cursor = cursor_of(section);
	char profile = 0;

	if (take_fixed(&cursor, 1) != VERSION)
		return 0;
	while (!profile && !cursor.failed && cursor.at < cursor.end) {
		struct cursor vendor = take_sized(&cursor, big, 4);
		bool is_known = vendor.end - vendor.at >= (ptrdiff_t)sizeof(VENDOR) &&
		                !memcmp(vendor.at, VENDOR, sizeof(VENDOR));

		skip_text(&vendor);
		while (is_known && !profile && !vendor.failed && vendor.at < vendor.end) {
			uint64_t scope = take_fixed(&vendor, 1);
			struct cursor attributes = take_sized(&vendor, big, 5);

			if (scope == FILE_SCOPE)
				profile = find_profile(attributes);
		}
	}
	return profile;
}
