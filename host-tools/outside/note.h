/* SPDX-License-Identifier: BSD-2-Clause */
/* note.h - the notes of an ELF core. */
#ifndef BAREPROF_HOST_NOTE_H
#define BAREPROF_HOST_NOTE_H

#include "bytes.h"

/*
 * note_contents - appends the contents of all notes with the owner @owner to @out. @notes are the bytes of a note segment,
 * whose numbers are big-endian if @big is true. Stops at the first note that is damaged.
 */
void note_contents(struct bytes notes, bool big, const char *owner, struct buffer *out);

/* note_build_id - appends the note that has the build id @id, as a linker writes it, to @out. */
void note_build_id(struct bytes id, bool big, struct buffer *out);

#endif
