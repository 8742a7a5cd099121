/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.c - reads any window of an open dump: a header, and then the image's sections as they
 * are in memory. The header is that of a .profraw or of a .mipraw.
 */
#include "values_serialize.h"

intptr_t bareprof_read(const struct bareprof_dump *dump, size_t offset, void *buf, size_t n)
{
	const struct bareprof_image *image = dump->image;
	const uint8_t *from = (const uint8_t *)dump->header;
	size_t size = dump->header_size;
	uint8_t *to = buf;
	unsigned int i;

	if (dump->epoch != bareprof_epoch(image))
		return BAREPROF_E_STALE;

	/* Reads the header, then each section and the zeros after the section. */
	for (i = 0;; i++) {
		if (offset >= size) {
			offset -= size;
		} else {
			size -= offset;
			if (size > n)
				size = n;
			if (buf)
				bareprof_copy(to, from + offset, size);
			to += size;
			n -= size;
			offset = 0;
		}
		if (i == 2 * BAREPROF_SECTIONS) {
#if BAREPROF_SERVES_VALUES
			if (image->value_sites)
				to += bareprof_read_values(image, BAREPROF_PART_ALL, offset, buf ? to : NULL, n);
#endif
			return to - (uint8_t *)buf;
		}
		from = image->section[i / 2].start;
		size = image->section[i / 2].size;
		if (i & 1) {
			from = (const uint8_t *)&image->profraw.zero_padding;
			size = image->profraw.padding[i / 2];
		}
		BAREPROF_YIELD();
	}
}
