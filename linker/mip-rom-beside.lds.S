/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip-rom-beside.ld - like mip-rom.ld, for images that have LLVM's counters as well as a machine
 * profile. Use it together with one of the scripts bareprof-rom*.ld, and name it before them, for the
 * reason that mip-beside.ld gives:
 *
 *	ld -T memory.ld -T mip-rom-beside.ld -T bareprof-rom.ld -T sections.ld ...
 */
#define BAREPROF_BESIDE
#include "mip-rom.lds.S"
