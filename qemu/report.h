/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - prints the registers of a processor that faulted. These functions are for the boards.
 * The functions call only board_putc(), and no instrumented code.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

/* Begins a report with "*** WHAT". */
void report_fault(const char *what);

/* Prints the name of one register and its value in hexadecimal, four registers to a line. */
void report_register(const char *name, uintptr_t value);

/* Ends the report, then stops the machine with exit status 3. */
_Noreturn void report_end(void);

#endif
