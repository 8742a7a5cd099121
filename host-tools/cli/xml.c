/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xml.c - escapes characters by the rules of XML 1.0.
 */
#include "xml.h"
#include "utf8.h"

#include <string.h>

/*
 * Returns whether XML may contain the character at the start of @text, which has @n bytes. U+FFFE, U+FFFF and control
 * characters are forbidden, even if escaped.
 */
static bool is_allowed(struct bytes text, size_t n)
{
	if (n == 3 && text.data[0] == 0xef && text.data[1] == 0xbf && text.data[2] >= 0xbe)
		return false;
	return *text.data >= 0x20 || *text.data == '\t' || *text.data == '\n' || *text.data == '\r';
}

/* Returns the escape for @c, or NULL if @c needs none. */
static const char *escape(uint8_t c, bool in_attribute)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return in_attribute ? "&quot;" : NULL;
	case '\r':
		return "&#13;";
	case '\n':
		return in_attribute ? "&#10;" : NULL;
	case '\t':
		return in_attribute ? "&#9;" : NULL;
	default:
		return NULL;
	}
}

/* Returns whether XML_NUMERIC writes @c as a number. */
static bool is_numbered(uint8_t c)
{
	return c < 0x20 || c == 0x7f || strchr("&<>\"'", c);
}

/*
 * Appends a replacement for the character at the start of @text, because XML cannot contain this character. @n is the
 * size of the character in bytes, or 0 if it is not valid UTF-8. Returns the number of bytes that were replaced, which
 * is 1 or @n.
 */
static size_t add_replacement(struct buffer *xml, struct bytes text, size_t n, bool numeric)
{
	if (!numeric)
		buffer_add_text(xml, "\xef\xbf\xbd");
	else if (n)
		buffer_add_text(xml, "?");
	else
		buffer_printf(xml, "&#%u;", (unsigned int)*text.data);
	return numeric && n ? n : 1;
}

void xml_add(struct buffer *xml, struct bytes text, unsigned int how)
{
	while (text.size) {
		const char *escaped = escape(*text.data, how & XML_ATTRIBUTE);
		size_t n = utf8_length(text);

		if (!n || !is_allowed(text, n))
			n = add_replacement(xml, text, n, how & XML_NUMERIC);
		else if (how & XML_NUMERIC && is_numbered(*text.data))
			buffer_printf(xml, "&#%u;", (unsigned int)*text.data);
		else if (escaped && !(how & XML_NUMERIC))
			buffer_add_text(xml, escaped);
		else
			buffer_add(xml, text.data, n);
		bytes_slice(text, n, text.size - n, &text);
	}
}

void xml_add_attribute(struct buffer *xml, const char *key, struct bytes text, unsigned int how)
{
	buffer_printf(xml, " %s=\"", key);
	xml_add(xml, text, how | XML_ATTRIBUTE);
	buffer_add_text(xml, "\"");
}
