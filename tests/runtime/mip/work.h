/* SPDX-License-Identifier: BSD-2-Clause */
/* work.h - the functions of work.c. */
#ifndef WORK_H
#define WORK_H

#ifndef MODE
#define MODE(name) calls_##name
#endif

void MODE(once)(void);
void MODE(often)(void);
void MODE(never)(void);
void MODE(work)(void);
void coverage_work(void);

#endif
