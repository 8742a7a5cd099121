/* SPDX-License-Identifier: BSD-2-Clause */
/* idle.h - functions that wait, and functions whose work depends on the machine. */
#ifndef IDLE_H
#define IDLE_H

/* Wait for a byte from the console. */
int idle_getc(void);

/* Wait until an interrupt has set *@flag. */
void idle_until(const volatile int *flag);

/* Print the board's name, in a loop over its characters, and the board's number of CPUs. */
void idle_board(void);

#endif
