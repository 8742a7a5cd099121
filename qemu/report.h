/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - say what a processor looked like when it faulted. For boards; uses
 * nothing but board_putc(), and no instrumented code.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

/* Begin a report: "*** WHAT". */
void report_fault(const char *what);

/* One register: its name and its value in hexadecimal; four to a line. */
void report_register(const char *name, uintptr_t value);

/* End the report, and the machine with status 3. */
_Noreturn void report_end(void);

#endif
