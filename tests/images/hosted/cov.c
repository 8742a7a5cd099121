/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov.c - replaces qemu/demo/cov.c. compiler-rt writes the profile to the file that LLVM_PROFILE_FILE names. The
 * program writes the profile when it gets the command at which a board sends its profile. So both profiles have the
 * same counts.
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

	/*
	 * The file is removed first, because compiler-rt would append to it, and readers add up all profiles in a
	 * file.
	 */
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

void cov_serve(void)
{
	cov_dump();
}

void cov_repeat(void)
{
	cov_dump();
}
