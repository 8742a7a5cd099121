/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llvm.h - finds installed LLVM tools, such as the llvm-cov that fits a program.
 */
#ifndef BAREPROF_HOST_LLVM_H
#define BAREPROF_HOST_LLVM_H

#include "error.h"

struct llvm {
	unsigned int major; /* the release of llvm-cov */
	char *cov; /* the path of llvm-cov */
};

/*
 * llvm_find - finds llvm-cov for a program whose profiles have raw version @version. If @forced is not 0, the release
 * must be @forced. Otherwise llvm-cov of release @preferred is used if it is installed and such programs are made by that
 * release. If not, the newest installed release with that raw version is used. If @version is 0, the raw version is not
 * known, and any release from 13 on is used. The caller frees @llvm with llvm_free(). Errors: USAGE (@forced is older
 * than the program), SYSTEM (llvm-cov is not installed).
 */
enum status llvm_find(
	struct llvm *llvm, unsigned int version, unsigned int preferred, unsigned int forced, struct error *error);
void llvm_free(struct llvm *llvm);

/*
 * llvm_tool - returns the path of LLVM's tool @name, for example "llvm-cxxfilt", of any release: the tool in PATH, or
 * that of the newest installed release. Returns NULL if there is none. The caller frees the path.
 */
char *llvm_tool(const char *name);

#endif
