/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion.c - what there is to say about a completed profile.
 */
#include "completion.h"

void remarks_free(struct remarks *remarks)
{
	buffer_free(&remarks->text);
	buffer_free(&remarks->left_out);
	buffer_free(&remarks->origin);
}
