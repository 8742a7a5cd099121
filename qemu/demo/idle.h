/* SPDX-License-Identifier: BSD-2-Clause */
/* idle.h - waiting, and the rest of what differs from machine to machine. */
#ifndef IDLE_H
#define IDLE_H

/* Wait for a byte from the console. */
int idle_getc(void);

/* Wait until an interrupt has set *@flag. */
void idle_until(const volatile int *flag);

/* Print the board's name, in a loop as long as that, and how many CPUs it has. */
void idle_board(void);

#endif
