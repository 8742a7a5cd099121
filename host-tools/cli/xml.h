/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xml.h - text in XML: what has a meaning there, or cannot be said, is escaped.
 */
#ifndef BAREPROF_HOST_XML_H
#define BAREPROF_HOST_XML_H

#include "bytes.h"

/* Where the text goes, and how it is escaped. */
enum xml_text {
	XML_CONTENT = 0,
	XML_ATTRIBUTE = 1, /* between quotes, where line ends and tabs would become spaces */
	XML_NUMERIC =
		2, /* by numbers: "&#60;"; bytes that are not UTF-8 are U+0080 to U+00FF, as in JSON, and not U+FFFD */
};

/* xml_add - append @text; @how is a combination of enum xml_text. */
void xml_add(struct buffer *xml, struct bytes text, unsigned int how);

/* xml_add_attribute - append " KEY=\"TEXT\"". */
void xml_add_attribute(struct buffer *xml, const char *key, struct bytes text, unsigned int how);

#endif
