/* SPDX-License-Identifier: BSD-2-Clause */
/* look.c - frees what a look has found. */
#include "look.h"

#include <stdlib.h>

void look_free(struct look *look)
{
	size_t i;

	for (i = 0; i < look->line_list_count; i++)
		ranges_free(&look->line_list[i].ranges);
	free(look->line_list);
	free(look->function_list);
	*look = (struct look){.base = false};
}
