/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unfinished.h - the temporary files that are there, of whichever thread.
 */
#ifndef BAREPROF_HOST_UNFINISHED_H
#define BAREPROF_HOST_UNFINISHED_H

/*
 * unfinished_remove - remove them all. For a program that is about to end: threads
 * that are writing one do not go on. May be called by a signal handler.
 */
void unfinished_remove(void);

#endif
