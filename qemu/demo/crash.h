/* SPDX-License-Identifier: BSD-2-Clause */
/* crash.h - ways for the kernel to fail on request. */
#ifndef CRASH_H
#define CRASH_H

/* Prints @why and the profile on the console, then ends the machine with status 4. */
_Noreturn void crash_panic(const char *why);
/* Jumps to an address without code. */
void crash_fault(void);
/* Loops for ever. */
_Noreturn void crash_hang(void);

#endif
