/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * constructors.c - runs the constructors of all objects at start. In code of clang 13 to 16,
 * constructors call a registration function of bareprof. This function does nothing, because
 * bareprof finds the records by the bounds of their section.
 */
#include "board.h"

typedef void (*constructor)(void);
extern const constructor constructors_start[], constructors_end[];

void board_constructors(void)
{
	const constructor *c;

	for (c = constructors_start; c < constructors_end; c++)
		(*c)();
}
