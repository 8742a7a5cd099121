/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * constructors.c - run what objects want to be run at start. Those of clang 13
 * to 16 register their records there; bareprof's registration does nothing, as
 * the bounds of the sections say it all, but it must stand being called.
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
