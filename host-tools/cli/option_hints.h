/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_hints.h - advice on options that LLVM's tools have and bareprof has not, or not
 * with that name.
 */
#ifndef BAREPROF_HOST_OPTION_HINTS_H
#define BAREPROF_HOST_OPTION_HINTS_H

/*
 * option_hint - returns advice to print after "COMMAND has no option 'WORD'; ", or NULL if
 * @word, with its dashes, is not an option of llvm-profdata or llvm-cov that users of
 * @command are likely to try.
 */
const char *option_hint(const char *command, const char *word);

#endif
