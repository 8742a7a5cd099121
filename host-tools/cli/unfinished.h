/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unfinished.h - the temporary files of outputs that are not yet complete, of all threads.
 */
#ifndef BAREPROF_HOST_UNFINISHED_H
#define BAREPROF_HOST_UNFINISHED_H

/*
 * unfinished_remove - removes the temporary files of all incomplete outputs. Call it only if the program is about to
 * end: threads that are writing such a file do not continue. A signal handler may call it.
 */
void unfinished_remove(void);

#endif
