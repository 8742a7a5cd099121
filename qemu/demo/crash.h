/* SPDX-License-Identifier: BSD-2-Clause */
/* crash.h - ways for the kernel to fail on request. */
#ifndef CRASH_H
#define CRASH_H

/* Print the profile on the console, then end with status 4. */
_Noreturn void crash_panic(const char *why);
/* Jump to an address without code. */
void crash_fault(void);
/* Loop for ever. */
_Noreturn void crash_hang(void);

#endif
