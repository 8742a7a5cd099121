/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unfinished.h - removes the temporary files of outputs that are not yet complete.
 */
#ifndef BAREPROF_HOST_UNFINISHED_H
#define BAREPROF_HOST_UNFINISHED_H

/*
 * unfinished_remove - removes the temporary files of all incomplete outputs, of all threads. Call it only if the
 * program is about to end. After this call, a thread that completes or removes its output waits until the program ends.
 * A signal handler may call it.
 */
void unfinished_remove(void);

#endif
