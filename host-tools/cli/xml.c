/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xml.c - characters by what XML 1.0 allows.
 */
#include "xml.h"
#include "utf8.h"

/* U+FFFE and U+FFFF are UTF-8, but not XML; nor are control characters, even escaped. */
static bool is_allowed(struct bytes text, size_t n)
{
	if (n == 3 && text.data[0] == 0xef && text.data[1] == 0xbf && text.data[2] >= 0xbe)
		return false;
	return *text.data >= 0x20 || *text.data == '\t' || *text.data == '\n' || *text.data == '\r';
}

/* What must not stand there as it is; NULL: @c may. */
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

/* What XML cannot say: its first byte, or all @n of a character. Returns how many bytes that were. */
static size_t add_replacement(struct buffer *xml, struct bytes text, size_t n, bool latin1)
{
	if (!latin1)
		buffer_add_text(xml, "\xef\xbf\xbd");
	else if (n)
		buffer_add_text(xml, "?");
	else
		buffer_printf(xml, "&#%u;", (unsigned int)*text.data);
	return latin1 && n ? n : 1;
}

void xml_add(struct buffer *xml, struct bytes text, unsigned int how)
{
	while (text.size) {
		const char *escaped = escape(*text.data, how & XML_ATTRIBUTE);
		size_t n = utf8_length(text);

		if (!n || !is_allowed(text, n))
			n = add_replacement(xml, text, n, how & XML_LATIN1);
		else if (escaped)
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
