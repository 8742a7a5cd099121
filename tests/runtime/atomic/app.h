/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * app.h - declares the function that the thread and interrupts call at the same time.
 */
#ifndef APP_H
#define APP_H

/* The counter of this function is the only counter of the image. */
void turn(void);

#endif
