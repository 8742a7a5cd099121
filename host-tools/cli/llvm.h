/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llvm.h - the installed LLVM tools, of the release that fits a profile.
 */
#ifndef BAREPROF_HOST_LLVM_H
#define BAREPROF_HOST_LLVM_H

#include "error.h"

struct llvm {
	unsigned int major;
	char *profdata;
	char *cov;
};

/*
 * llvm_find - llvm-profdata and llvm-cov of one release that reads raw version
 * @version: release @forced if it is not 0; else @preferred, if that reads it
 * and is installed; else the newest that does and is. @version 0: the newest of
 * all, for indexed profiles. Free with llvm_free().
 * Errors: USAGE (@forced cannot read it), SYSTEM (not installed).
 */
enum status llvm_find(
	struct llvm *llvm, unsigned int version, unsigned int preferred, unsigned int forced, struct error *error);
void llvm_free(struct llvm *llvm);

#endif
