/* SPDX-License-Identifier: BSD-2-Clause */
/* shell.h - the shell on the console. */
#ifndef SHELL_H
#define SHELL_H

/* Reads lines and executes them as commands, for ever. */
_Noreturn void shell(void);

#endif
