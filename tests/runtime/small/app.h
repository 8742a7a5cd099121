/* SPDX-License-Identifier: BSD-2-Clause */
/* app.h - the application of this test: the code that is counted. */
#ifndef APP_H
#define APP_H

/* Runs all instrumented code, more of it with more @rounds. The result shows that it ran. */
unsigned int application(unsigned int rounds);

#endif
