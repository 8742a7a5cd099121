/* SPDX-License-Identifier: BSD-2-Clause */
/* idle.h - the two ways in which this kernel waits. */
#ifndef IDLE_H
#define IDLE_H

/* Wait for a byte from the console. */
int idle_getc(void);

/* Wait until an interrupt has set *@flag. */
void idle_until(const volatile int *flag);

#endif
