/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip-beside.ld - like mip.ld, for images that have LLVM's counters as well as a machine profile.
 * Use it together with bareprof.ld or bareprof-lean.ld, and name it before them. (In the other order,
 * lld 13 puts an empty section at address 0.)
 *
 *	ld -T mip-beside.ld -T bareprof.ld -T kernel.ld ...
 */
#define BAREPROF_BESIDE
#include "mip.lds.S"
