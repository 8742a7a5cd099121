/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xml.h - writes text as XML. Characters that have a meaning in XML are escaped, and invalid
 * characters are replaced.
 */
#ifndef BAREPROF_HOST_XML_H
#define BAREPROF_HOST_XML_H

#include "bytes.h"

/* The position of the text in the XML, and the way in which the text is escaped. */
enum xml_text {
	XML_CONTENT = 0,
	/* between quotes: line ends and tabs are escaped too, because readers turn them into spaces */
	XML_ATTRIBUTE = 1,
	/*
	 * Escape by number, as in "&#60;". Bytes that are not UTF-8 become U+0080 to U+00FF,
	 * as in JSON, instead of U+FFFD.
	 */
	XML_NUMERIC = 2,
};

/* xml_add - escapes @text and appends it. @how is a combination of enum xml_text. */
void xml_add(struct buffer *xml, struct bytes text, unsigned int how);

/* xml_add_attribute - appends the attribute @key with the value @text: " KEY=\"TEXT\"". */
void xml_add_attribute(struct buffer *xml, const char *key, struct bytes text, unsigned int how);

#endif
