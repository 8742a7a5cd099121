/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llvm.h - find installed LLVM tools of a release that reads a given profile.
 */
#ifndef BAREPROF_HOST_LLVM_H
#define BAREPROF_HOST_LLVM_H

#include "error.h"

struct llvm {
	unsigned int major; /* release */
	char *profdata; /* paths of the programs */
	char *cov;
};

/*
 * llvm_find - finds llvm-profdata and llvm-cov of one release that reads raw version
 * @version. That is release @forced if it is not 0. Otherwise it is @preferred if that
 * reads the version and is installed, or else the newest installed release that reads it.
 * @version 0 stands for indexed profiles: any release reads them, the newest is taken. The
 * caller frees @llvm with llvm_free(). Errors: USAGE (@forced cannot read the version),
 * SYSTEM (not installed).
 */
enum status llvm_find(
	struct llvm *llvm, unsigned int version, unsigned int preferred, unsigned int forced, struct error *error);
void llvm_free(struct llvm *llvm);

#endif
