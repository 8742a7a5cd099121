/* SPDX-License-Identifier: BSD-2-Clause */
/* coverage_selection.c - limits the size of reports. */
#include "coverage_selection.h"

#include <inttypes.h>

bool selection_lines(const struct coverage_selection *selection, const struct segments *segments, uint64_t *lines,
	struct error *error)
{
	struct line_walk walk = {.segments = segments, .rules = &selection->coverage->rules};

	while (lines_next(&walk))
		*lines += walk.mapped ? walk.repeat : 0;
	if (*lines <= REPORT_LINES_BASE + selection->coverage->mapping_size)
		return true;
	error_set(error, STATUS_INVALID_INPUT,
		"has a coverage mapping of %" PRIu64 " bytes with more than %" PRIu64
		" executable lines, which no program has" HINT_FETCH_AGAIN,
		selection->coverage->mapping_size, REPORT_LINES_BASE + selection->coverage->mapping_size);
	return false;
}
