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
			"warning: %s functions' hashes are those of clang 22: in a file for older releases, "
			"-fprofile-instr-use of clang 22 finds none of them (but llvm-cov finds them)",
			whose);
	if ((hashes & BAREPROF_HASHES_V3) && version >= HASH_V4_VERSION)
		complain(path,
			"warning: %s functions' hashes are those of clang before 22, so -fprofile-instr-use of clang "
			"22 "
			"finds none of them (but llvm-cov finds them); 'bareprof merge --pgo-hash v4' converts them",
			whose);
}
