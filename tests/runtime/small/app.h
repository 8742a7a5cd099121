/* SPDX-License-Identifier: BSD-2-Clause */
/* app.h - declares the function of this test's application. Only the application is instrumented. */
#ifndef APP_H
#define APP_H

/*
 * Calls the instrumented code. With a higher @rounds, more of this code runs. Returns a number that
 * depends on all calls.
 */
unsigned int application(unsigned int rounds);

#endif
