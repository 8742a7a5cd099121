/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llvm.h - finds installed LLVM tools of a release that reads a given profile.
 */
#ifndef BAREPROF_HOST_LLVM_H
#define BAREPROF_HOST_LLVM_H

#include "error.h"

struct llvm {
	unsigned int major; /* the release of both tools */
	char *profdata; /* paths of the two tools */
	char *cov;
};

/*
 * llvm_find - finds llvm-profdata and llvm-cov of one installed release that reads raw version @version. If @forced is
 * not 0, the release must be @forced. Otherwise the tools of release @preferred are used if they are installed and read
 * the version. If not, the tools of the newest installed release that reads the version are used. If @version is 0, the
 * profile is an indexed profile. Any release from 13 on is expected to read it. The caller frees @llvm with
 * llvm_free(). Errors: USAGE (@forced cannot read the version), SYSTEM (the tools are not installed).
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
