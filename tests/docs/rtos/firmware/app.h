/* SPDX-License-Identifier: BSD-2-Clause */
/* app.h - the application. */
#ifndef APP_H
#define APP_H

#include <stdint.h>

/* Set by the command d. */
extern volatile int app_wants_dump;

/* The worker and a task call this function all the time. */
void mix(uint32_t number);

/* The functions of two threads. */
void app_kernel(void);
void app_worker(void);

#endif
