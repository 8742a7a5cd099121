/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target_name.h - finds out for which processor a tool makes code.
 */
#ifndef BAREPROF_HOST_TARGET_NAME_H
#define BAREPROF_HOST_TARGET_NAME_H

#include "rewrite.h"

/*
 * target_of_name - returns the processor in @name, a target triple or the path of a tool, such as arm-none-eabi-as.
 * Returns REWRITE_ANY if @name names no processor, or one that the rewriter does not know.
 * target_of_host - returns the processor for which native tools make code.
 */
enum rewrite_target target_of_name(const char *name);
enum rewrite_target target_of_host(void);

#endif
