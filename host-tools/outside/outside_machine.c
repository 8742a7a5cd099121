/* SPDX-License-Identifier: BSD-2-Clause */
/* outside_machine.c - reads the raw sections of a machine profile (docs/SPEC.md, 4.6). */
#include "mip_image.h"
#include "outside_capture.h"

#include <bareprof/wire.h>

enum status outside_machine(struct outside_dump *dump, const struct placed *placed, struct error *error)
{
	static const uint8_t numbers[MIP_SECTIONS] = {
		BAREPROF_STREAM_MIP_COV, BAREPROF_STREAM_MIP_CALLS, BAREPROF_STREAM_MIP_BLK, BAREPROF_STREAM_MIP_SMP};
	enum status status = STATUS_OK;
	struct mip_extent extent;
	bool counts = false;
	unsigned int i;

	dump->begin = outside_begin(placed);
	for (i = 0; i < MIP_SECTIONS && status == STATUS_OK; i++) {
		bool has = mip_image_extent(&placed->program->image, (enum mip_section)i, &extent);

		/* Distances count from the coverage section, also if it is empty. */
		if (has && i == MIP_COVERAGE)
			dump->begin.address = placed_address(placed, extent.address);
		/* The memory for samples alone is no profile. */
		if (!has || !extent.size || (i == MIP_SAMPLES && !counts))
			continue;
		status = outside_section(outside_add(dump, numbers[i]), placed, extent.address, extent.size, error);
		counts = true;
	}
	return status;
}
