/* SPDX-License-Identifier: BSD-2-Clause */
/* idle.h - functions that wait, and others whose work differs from machine to machine. */
#ifndef IDLE_H
#define IDLE_H

/* Wait for a byte from the console. */
int idle_getc(void);

/* Wait until an interrupt has set *@flag. */
void idle_until(const volatile int *flag);

/* Print the board's name, in a loop over its characters, and how many CPUs the board has. */
void idle_board(void);

#endif
