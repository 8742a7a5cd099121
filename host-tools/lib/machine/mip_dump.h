/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_dump.h - makes a raw machine profile from a dump in a capture or log (docs/SPEC.md, 4.6). */
#ifndef BAREPROF_HOST_MIP_DUMP_H
#define BAREPROF_HOST_MIP_DUMP_H

#include "mip_raw.h"
#include "sent_dump.h"

/*
 * mip_dump_raw - appends the raw profile in the dump @sent to @out, as a .mipraw of version 9. The dump must be
 * complete, and sent->machine must be true. Errors: INVALID_INPUT.
 */
enum status mip_dump_raw(
	struct buffer *out, const struct capture *capture, const struct sent_dump *sent, struct error *error);

#endif
