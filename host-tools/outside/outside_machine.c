/* SPDX-License-Identifier: BSD-2-Clause */
/* outside_machine.c - reads the raw sections of a machine profile, and writes them as a capture (docs/SPEC.md, 4.6). */
#include "capture_write.h"
#include "mip_image.h"
#include "outside_capture.h"

#include <bareprof/wire.h>

enum status outside_machine(struct buffer *out, const struct placed *placed, struct error *error)
{
	static const uint8_t numbers[MIP_SECTIONS] = {
		BAREPROF_STREAM_MIP_COV, BAREPROF_STREAM_MIP_CALLS, BAREPROF_STREAM_MIP_BLK, BAREPROF_STREAM_MIP_SMP};
	const struct image *image = &placed->program->image;
	struct begin begin = outside_begin(placed);
	struct buffer content[MIP_SECTIONS] = {{0}};
	struct capture_stream streams[MIP_SECTIONS];
	enum status status = STATUS_OK;
	struct mip_extent extent;
	bool counts = false;
	size_t n = 0;
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS && status == STATUS_OK; i++) {
		bool has = mip_image_extent(image, (enum mip_section)i, &extent);

		/* Distances count from the coverage section, also if it is empty. */
		if (has && i == MIP_COVERAGE)
			begin.address = placed_address(placed, extent.address);
		if (!has || !extent.size)
			continue;
		status = outside_section(&content[i], placed, extent.address, extent.size, error);
		streams[n++] = (struct capture_stream){numbers[i], {content[i].data, content[i].size}};
		counts |= i != MIP_SAMPLES;
	}
	if (status == STATUS_OK && counts)
		capture_write(out, &begin, streams, n);
	for (i = 0; i < MIP_SECTIONS; i++)
		buffer_free(&content[i]);
	return status;
}
