/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov.c - in place of qemu/demo/cov.c: the profile as compiler-rt sees it, in
 * the file that LLVM_PROFILE_FILE names. Written at the very point of the
 * commands where a board sends its own, so both have the same counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cov.h"

int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);

void cov_init(void)
{
}

void cov_info(void)
{
	puts("compiler-rt's");
}

void cov_reset(void)
{
	__llvm_profile_reset_counters();
}

void cov_dump(void)
{
	const char *name = getenv("LLVM_PROFILE_FILE");

	/* compiler-rt appends, and a reader adds up what it finds in one file. */
	if (name != NULL)
		remove(name);
	puts(__llvm_profile_write_file() == 0 ? "profile written" : "cannot write the profile");
}

void cov_save(void)
{
	cov_dump();
}

void cov_counters(void)
{
	cov_dump();
}

void cov_save_counters(void)
{
	cov_dump();
}

void cov_both(void)
{
	cov_dump();
}
