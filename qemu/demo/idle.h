/* SPDX-License-Identifier: BSD-2-Clause */
/* idle.h - functions that wait, and functions whose work depends on the machine. */
#ifndef IDLE_H
#define IDLE_H

/* Waits for a byte from the console, and returns it. */
int idle_getc(void);

/* Waits until an interrupt has set *@flag. */
void idle_until(const volatile int *flag);

/* Prints the name of the board, in a loop over its characters. Also prints the number of CPUs. */
void idle_board(void);

#endif
