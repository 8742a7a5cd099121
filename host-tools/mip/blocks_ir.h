/* SPDX-License-Identifier: BSD-2-Clause */
/* blocks_ir.h - changes clang's block counters in LLVM's intermediate representation (IR). */
#ifndef BAREPROF_HOST_BLOCKS_IR_H
#define BAREPROF_HOST_BLOCKS_IR_H

#include "bytes.h"
#include "error.h"

/*
 * blocks_ir_edit - appends @text, the text of a module that clang has compiled with
 * -fsanitize-coverage=bb,inline-8bit-counters,pc-table, to @out. In the copy, all bytes start as
 * BAREPROF_MIP_BLOCKS_START, a block gives its byte another value instead of adding 1, the sections have bareprof's
 * names, and nothing calls a run-time library. Errors: INVALID_INPUT if the text has counters in a form that bareprof
 * does not know.
 */
enum status blocks_ir_edit(struct buffer *out, struct bytes text, struct error *error);

#endif
