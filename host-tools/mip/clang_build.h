/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clang_build.h - makes everything that a command line of clang makes.
 */
#ifndef BAREPROF_HOST_CLANG_BUILD_H
#define BAREPROF_HOST_CLANG_BUILD_H

#include "clang.h"

/*
 * clang_build - compiles all sources of run->line, and links them if the command line says so. Before the call,
 * run->folder is NULL. Creates the temporary folder and removes it. Prints the errors of bareprof. If a program failed,
 * sets run->exit_status and returns OK. Errors: those of assembly_file_rewrite(), SYSTEM. The caller ends bareprof with
 * die_of_signal() afterwards.
 */
enum status clang_build(struct clang_run *run);

#endif
