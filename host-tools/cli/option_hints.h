/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_hints.h - advice for users who try an option of LLVM's tools that bareprof does not have, or that has another
 * name in bareprof.
 */
#ifndef BAREPROF_HOST_OPTION_HINTS_H
#define BAREPROF_HOST_OPTION_HINTS_H

/*
 * option_hint - returns advice for users who give the command @command the option @word (with its dashes) of
 * llvm-profdata or llvm-cov. The advice follows "COMMAND has no option 'WORD'; " in the message. Returns NULL if there
 * is no advice on @word.
 */
const char *option_hint(const char *command, const char *word);

#endif
