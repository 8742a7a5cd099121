/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_mapping.c - finds a coverage mapping that was linked only in part. Both sections are needed: __llvm_covmap
 * has the names of the source files, and __llvm_covfun has the mapping of each function.
 */
#include "check.h"

void check_mapping(struct check *check)
{
	if (!sections_named(check, "__llvm_covmap").size || sections_named(check, "__llvm_covfun").size)
		return;
	fix_mapping(check_add(check, FINDING_MAPPING_WITHOUT_FUNCTIONS,
		"the coverage mapping names source files but no functions: the linker dropped __llvm_covfun "
		"(a /DISCARD/, or --gc-sections without KEEP), so every report will be empty"));
}
