/* SPDX-License-Identifier: BSD-2-Clause */
/* throw.h - random numbers for a test program. The same seed gives the same numbers. */
#ifndef TESTS_HOST_THROW_H
#define TESTS_HOST_THROW_H

#include <stdint.h>

static uint64_t throw_state; /* a test program stores its seed here */

/* Returns a number below @sides. */
static uint64_t throw(uint64_t sides)
{
	throw_state = throw_state * 6364136223846793005u + 1442695040888963407u;
	return (throw_state >> 33) % sides;
}

#endif
