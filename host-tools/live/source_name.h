/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_name.h - recognises live sources by the names that users give them, such as /dev/ttyUSB0.
 */
#ifndef BAREPROF_HOST_SOURCE_NAME_H
#define BAREPROF_HOST_SOURCE_NAME_H

#include "bytes.h"

/*
 * source_name - returns the name for source_open() if @given is certainly a live source, otherwise NULL. @given is
 * certainly a live source if it has one of these forms: a name that source_is_live() accepts, tcp://HOST:PORT,
 * unix://PATH, the path of a socket, the path of a serial line (with or without @BAUD), or tty:NAME for a device in
 * /dev. The caller frees the name.
 */
char *source_name(const char *given);

/*
 * source_hint - appends advice to @text if the user probably meant a live source, but @given names neither a live
 * source nor a file. Examples of @given are COM3, ttyUSB0 and HOST:PORT. An example of advice is "use
 * tty:/dev/ttyUSB0". Otherwise appends nothing.
 */
void source_hint(const char *given, struct buffer *text);

#endif
