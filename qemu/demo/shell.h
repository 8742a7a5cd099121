/* SPDX-License-Identifier: BSD-2-Clause */
/* shell.h - commands at the console. */
#ifndef SHELL_H
#define SHELL_H

/* Read a line and do what it says, for ever. */
_Noreturn void shell(void);

#endif
