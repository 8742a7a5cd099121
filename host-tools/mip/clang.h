/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clang.h - calls clang to compile and to assemble, with assembly that is rewritten in between.
 */
#ifndef BAREPROF_HOST_CLANG_H
#define BAREPROF_HOST_CLANG_H

#include "assembly_file.h"
#include "clang_call.h"

/*
 * In the next functions, @input is the index of an input in run->line->words. @first says that it is the first input.
 * The compiler prints its own errors. If it fails, a function sets run->exit_status, unless an earlier call failed, and
 * returns OK. If bareprof catches a signal, a function stops the compiler and returns SYSTEM.
 *
 * clang_link - links as the command line says. @objects has an element for each word of the command line: the object
 * that takes the place of the word, or NULL. Errors: SYSTEM.
 * clang_compile - writes the assembly of the source @input to the file @assembly. Errors: SYSTEM.
 * clang_compile_blocks - does the same as clang_compile() with code for block coverage. If @object is not NULL, also
 * makes this object. Errors: SYSTEM.
 * clang_assemble - makes the object @object from file->text, the rewritten assembly. Errors: SYSTEM.
 * clang_compile_unchanged - makes the file @output from @input without bareprof. If @output is NULL, the compiler
 * chooses the name. Errors: SYSTEM.
 */
enum status clang_compile_blocks(
	struct clang_run *run, size_t input, const char *assembly, const char *object, bool first);
enum status clang_link(struct clang_run *run, char *const *objects);
enum status clang_compile(struct clang_run *run, size_t input, const char *assembly, bool first);
enum status clang_assemble(struct clang_run *run, const struct assembly_file *file, const char *object);
enum status clang_compile_unchanged(struct clang_run *run, size_t input, const char *output, bool first);

#endif
