/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arm_attributes.h - the build attributes of 32-bit Arm programs.
 */
#ifndef BAREPROF_HOST_ARM_ATTRIBUTES_H
#define BAREPROF_HOST_ARM_ATTRIBUTES_H

#include "bytes.h"

/*
 * arm_profile - returns the architecture profile that a program requires: 'A', 'R' or 'M'. @section
 * is the content of .ARM.attributes. Returns 0 if @section has no such attribute or is
 * malformed. @big is true if numbers in @section are big-endian.
 */
char arm_profile(struct bytes section, bool big);

#endif
