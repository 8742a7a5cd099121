/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.h - what threads and interrupts count at once.
 */
#ifndef APP_H
#define APP_H

/* Its counter is the first and only one. */
void turn(void);

#endif
