/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clang_features.h - assembles what clang has compiled, also if single functions use more instructions than the options
 * allow.
 */
#ifndef BAREPROF_HOST_CLANG_FEATURES_H
#define BAREPROF_HOST_CLANG_FEATURES_H

#include "clang_call.h"

/*
 * clang_call_assembler - runs the compiler with @arguments, which assemble an object @object. Like clang_call(), but if
 * the assembler of AArch64 refuses the text, tries again with all instructions. clang's own assembler checks each
 * instruction in a text against -march. clang 21 and older do not write into the text that a function has an attribute
 * such as target("+crc"), or that inline assembly contains .arch_extension. Errors: SYSTEM.
 */
enum status clang_call_assembler(struct clang_run *run, const struct words *arguments, const char *object);

#endif
