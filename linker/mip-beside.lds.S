/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip-beside.ld - like mip.ld, for images that have LLVM's counters as well as a machine profile.
 * Use it together with bareprof.ld or bareprof-lean.ld:
 *
 *	ld -T bareprof.ld -T mip-beside.ld -T kernel.ld ...
 */
#define BAREPROF_BESIDE
#include "mip.lds.S"
