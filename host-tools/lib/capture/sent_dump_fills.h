/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sent_dump_fills.h - a dump that was sent more than once: blocks of an earlier sending fill
 * the gaps of the last one (docs/SPEC.md, 1.9).
 */
#ifndef BAREPROF_HOST_SENT_DUMP_FILLS_H
#define BAREPROF_HOST_SENT_DUMP_FILLS_H

#include "sent_dump.h"

/*
 * sent_dump_note_fills - sets sent->filled and sent->fell. The blocks of @sent are in order of index and,
 * for one index, as they came; none was dropped yet.
 */
void sent_dump_note_fills(struct sent_dump *sent, const struct capture *capture);

#endif
