/* SPDX-License-Identifier: BSD-2-Clause */
/* app.h - the application of this test: the instrumented code. */
#ifndef APP_H
#define APP_H

/* Runs all instrumented code; a higher @rounds runs more of it. Returns a number that depends on all of it. */
unsigned int application(unsigned int rounds);

#endif
