/* SPDX-License-Identifier: BSD-2-Clause */
/* app.h - the application of small.sh: what there is to count. */
#ifndef APP_H
#define APP_H

/* Everything that is measured, more of it with more @rounds; the result says that it ran. */
unsigned int application(unsigned int rounds);

#endif
