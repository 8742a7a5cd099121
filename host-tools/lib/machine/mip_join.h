/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_join.h - joins machine profiles of one image that different producers made: code of `bareprof mip cc`, and
 * counters of clang. Their functions have the same names and addresses, but not the same raw bytes.
 */
#ifndef BAREPROF_HOST_MIP_JOIN_H
#define BAREPROF_HOST_MIP_JOIN_H

#include "mip_profile.h"

/*
 * mip_join_number - gives each function of @profile raw bytes at the next free offset, and sets profile->numbered. The
 * image has no such raw bytes, so no raw machine profile fits @profile afterwards.
 */
void mip_join_number(struct mip_profile *profile);

/*
 * mip_join_can - returns whether mip_join() is the way to add @other to @profile: one of them is numbered, both have
 * addresses, and they have different functions or kinds.
 * mip_join - adds @other to @profile. Functions with the same name and address become one function; other functions of
 * @other are appended. If only one of the two counted the calls of a function, the other one shows that the function
 * was called at least once in each of its runs. Both must have the same build id. @profile is numbered afterwards.
 */
bool mip_join_can(const struct mip_profile *profile, const struct mip_profile *other);
void mip_join(struct mip_profile *profile, const struct mip_profile *other);

#endif
