/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash_warning.c - warns if the structural hashes in a profile do not fit the index version with which it is written.
 * Then clang would find no function in the file.
 */
#include "hash_warning.h"
#include "error.h"
#include "exit.h"

void hash_warning(const char *path, enum bareprof_hashes hashes, unsigned int version)
{
	const char *whose = hashes == BAREPROF_HASHES_BOTH ? "some" : "the";

	if ((hashes & BAREPROF_HASHES_V4) && version < HASH_V4_VERSION)
		complain(path,
			"warning: %s functions have hashes of clang 22, but the index version of the file is for older "
			"releases: -fprofile-instr-use of clang 22 does not find these functions, but llvm-cov does",
			whose);
	if ((hashes & BAREPROF_HASHES_V3) && version >= HASH_V4_VERSION)
		complain(path,
			"warning: %s functions have hashes of clang before 22: -fprofile-instr-use of clang 22 does "
			"not find these functions, but llvm-cov does; 'bareprof merge --pgo-hash v4' converts the "
			"hashes",
			whose);
}
