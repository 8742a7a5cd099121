/* SPDX-License-Identifier: BSD-2-Clause */
/* mix.c - a function that all threads may call. It is linked first, so its counters are far from its callers'. */
#include "app.h"

static volatile uint32_t mixed;

void mix(uint32_t number)
{
	mixed = number & 1 ? mixed * 3 + number : mixed ^ number;
}
