/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.h - the function that the thread and interrupts call at the same time.
 */
#ifndef APP_H
#define APP_H

/* Its counter is the only one of the image. */
void turn(void);

#endif
