/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first.h - internal to the Linux port: defines __bareprof_mip_first(), which functions of a machine profile with calls
 * call at their first call. The kernel and each module have a copy, because on arm64 a call of another module's
 * function may change registers that the caller does not save. All copies use the clock of the core.
 */
#ifndef BAREPROF_FIRST_H
#define BAREPROF_FIRST_H

#include <asm/linkage.h>

#include "bareprof.h"

/* Any code may call this function, so it is neither traced nor probed. */
#define BAREPROF_MIP_FIRST_SECTION ".noinstr.text"
#ifdef CONFIG_X86
#ifdef ASM_RET /* Linux 5.17 and later */
#define BAREPROF_MIP_FIRST_RETURN ASM_RET
#endif
#include "mip_first_x86_64.h"
#else
#include "mip_first_arm.h"
#endif

#endif
