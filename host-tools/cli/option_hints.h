/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_hints.h - advice for users who try an option of LLVM's tools in bareprof. Either bareprof has this option
 * under another name, or bareprof does not have it.
 */
#ifndef BAREPROF_HOST_OPTION_HINTS_H
#define BAREPROF_HOST_OPTION_HINTS_H

/*
 * option_hint - returns advice on @word, an option of llvm-profdata or llvm-cov, with its dashes. The user gave this
 * option to the command @command of bareprof. The advice follows "COMMAND has no option 'WORD'; " in the message.
 * Returns NULL if there is no advice on @word.
 */
const char *option_hint(const char *command, const char *word);

#endif
