/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_file_v8.h - reads and writes machine profiles (.mip) of version 8 (docs/SPEC.md, 4.5). */
#ifndef BAREPROF_HOST_MIP_FILE_V8_H
#define BAREPROF_HOST_MIP_FILE_V8_H

#include "mip_profile.h"

/* These functions do the same as mip_file_read() and mip_file_write() for version 8. */
enum status mip_file_v8_read(struct mip_profile *profile, struct bytes bytes, struct error *error);
enum status mip_file_v8_write(struct buffer *out, const struct mip_profile *profile, struct error *error);

#endif
