/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xml.h - text in XML: what has a meaning there, or cannot be said, is escaped.
 */
#ifndef BAREPROF_HOST_XML_H
#define BAREPROF_HOST_XML_H

#include "bytes.h"

/* Where the text goes, and what becomes of bytes that are not UTF-8. */
enum xml_text {
	XML_CONTENT = 0,
	XML_ATTRIBUTE = 1, /* between quotes, where line ends and tabs would become spaces */
	XML_LATIN1 = 2, /* they are U+0080 to U+00FF, as in JSON; if not, U+FFFD */
};

/* xml_add - append @text; @how is a combination of enum xml_text. */
void xml_add(struct buffer *xml, struct bytes text, unsigned int how);

/* xml_add_attribute - append " KEY=\"TEXT\"". */
void xml_add_attribute(struct buffer *xml, const char *key, struct bytes text, unsigned int how);

#endif
