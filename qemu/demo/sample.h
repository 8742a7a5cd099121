/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.h - the commands for samples of the program counter. `make image SAMPLES=1` builds a kernel with them. Other
 * kernels do not have this function.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

/* Executes the command @words, which comes after "cov sample", or prints which commands there are. */
void sample_command(const char *words);

#endif
