/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_link.h - compares build ids, which identify the link of an image.
 */
#ifndef BAREPROF_HOST_MIP_LINK_H
#define BAREPROF_HOST_MIP_LINK_H

#include "bytes.h"
#include "error.h"

/*
 * mip_same_link - compares the build id @id of an input with @expected, the build id of the map. If one of them is
 * empty, appends a sentence to @note, because bareprof cannot check that both come from one link. Errors: INVALID_INPUT
 * if the build ids differ, or if one of them is all zeros.
 */
enum status mip_same_link(struct bytes id, struct bytes expected, struct buffer *note, struct error *error);

#endif
