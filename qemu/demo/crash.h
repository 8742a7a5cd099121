/* SPDX-License-Identifier: BSD-2-Clause */
/* crash.h - ways for the kernel to end badly. */
#ifndef CRASH_H
#define CRASH_H

/* Leave the profile on the console, then end with status 4. */
_Noreturn void crash_panic(const char *why);
/* Jump to where no code is. */
void crash_fault(void);
/* Never come back. */
_Noreturn void crash_hang(void);

#endif
