/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.h - the shell's commands for the kernel's machine profile. `make image MIP=MODE` builds a kernel with
 * a machine profile. Other kernels do not have these functions.
 */
#ifndef MIP_H
#define MIP_H

void mip_info(void);
void mip_reset(void);
/* Sends the machine profile as lines of text on the console. */
void mip_dump(void);
/* Sends the counters and the machine profile. No instrumented code runs between the two dumps. */
void mip_both(void);
/* Sends the machine profile as frames on the board's channel for binary data. */
void mip_save(void);

#endif
