/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * junit.c - the JUnit XML of Jenkins and GitLab, with Maven Surefire's elements
 * for tests that were tried again. Nobody owns that format; what is written here
 * is what the strictest of its schemas accepts (tests/host/lib/junit.xsd). Hence the path
 * of a profile is a property of the suite: a testcase must not have any.
 */
#include "junit.h"
#include "output.h"

#include <string.h>

/* How long the UTF-8 character at @p is (of @n bytes left); 0: it is none, or none that XML 1.0 allows. */
static size_t character(const uint8_t *p, size_t n)
{
	uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = *p < 0x80 ? 1 : *p < 0xc0 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf8 ? 4 : 0;
	uint32_t value = length > 1 ? *p & (0x7fu >> length) : *p;
	size_t i;

	if (!length || length > n)
		return 0;
	for (i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) || value == 0xfffe ||
		value == 0xffff || (value < 0x20 && value != '\t' && value != '\n' && value != '\r'))
		return 0;
	return length;
}

/* What must not stand there as it is; NULL: @c may. */
static const char *escaped(uint8_t c, bool in_attribute)
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

/* What XML cannot say becomes U+FFFD; of a line end CR LF only LF stays. */
static void add_bytes(struct buffer *xml, struct bytes text, bool in_attribute)
{
	const uint8_t *p = text.data;
	size_t left = text.size;

	while (left) {
		size_t n = character(p, left);
		const char *other = n ? escaped(*p, in_attribute) : "\xef\xbf\xbd";

		if (left > 1 && p[0] == '\r' && p[1] == '\n')
			other = "";
		n = n ? n : 1;
		if (other)
			buffer_add_text(xml, other);
		else
			buffer_add(xml, p, n);
		p += n;
		left -= n;
	}
}

static void add_attribute(struct buffer *xml, const char *name, const char *value)
{
	buffer_printf(xml, " %s=\"", name);
	add_bytes(xml, (struct bytes){(const uint8_t *)value, strlen(value)}, true);
	buffer_add_text(xml, "\"");
}

static void add_console(struct buffer *xml, const struct attempt *attempt, const char *indent)
{
	buffer_printf(xml, "%s<system-out>", indent);
	if (attempt->left_out)
		buffer_printf(xml, "[%zu bytes before this are left out; --log has them]\n", attempt->left_out);
	add_bytes(xml, (struct bytes){attempt->console.data, attempt->console.size}, false);
	buffer_add_text(xml, "</system-out>\n");
}

static void add_text(struct buffer *xml, const char *text)
{
	add_bytes(xml, (struct bytes){(const uint8_t *)text, strlen(text)}, false);
}

/*
 * A try that failed. The first of a test that failed for good is its failure,
 * all others are told beside it. The reason is there twice: some systems show
 * the message, others only what is inside.
 */
static void add_failure(struct buffer *xml, const struct attempt *attempt, const char *element)
{
	buffer_printf(xml, "      <%s", element);
	add_attribute(xml, "message", attempt->failure);
	add_attribute(xml, "type", attempt->kind);
	if (!strcmp(element, "failure")) {
		buffer_add_text(xml, ">");
		add_text(xml, attempt->failure);
		buffer_add_text(xml, "</failure>\n");
		add_console(xml, attempt, "      ");
		return;
	}
	buffer_add_text(xml, ">\n        <stackTrace>");
	add_text(xml, attempt->failure);
	buffer_add_text(xml, "</stackTrace>\n");
	add_console(xml, attempt, "        ");
	buffer_printf(xml, "      </%s>\n", element);
}

static double seconds_of(const struct result *result)
{
	double seconds = 0;
	size_t i;

	for (i = 0; i < result->count; i++)
		seconds += result->attempts[i].seconds;
	return seconds;
}

static void add_case(struct buffer *xml, const struct results *results, const struct result *result)
{
	enum outcome outcome = result_outcome(result);
	size_t i;

	buffer_add_text(xml, "    <testcase");
	add_attribute(xml, "name", result->name);
	add_attribute(xml, "classname", results->suite);
	buffer_printf(xml, " time=\"%.3f\">\n", seconds_of(result));
	if (outcome == OUTCOME_NOT_RUN) {
		buffer_add_text(xml, "      <skipped");
		add_attribute(xml, "message", results->not_run ? results->not_run : "was not run");
		buffer_add_text(xml, "/>\n");
	}
	for (i = 0; i < result->count; i++) {
		const struct attempt *attempt = &result->attempts[i];

		if (attempt->failure)
			add_failure(xml, attempt,
				outcome == OUTCOME_FLAKY ? "flakyFailure"
				: i                      ? "rerunFailure"
							 : "failure");
		else
			add_console(xml, attempt, "      ");
	}
	buffer_add_text(xml, "    </testcase>\n");
}

static void add_properties(struct buffer *xml, const struct results *results)
{
	size_t i;

	buffer_add_text(xml, "    <properties>\n      <property name=\"board\"");
	add_attribute(xml, "value", results->board);
	buffer_add_text(xml, "/>\n");
	for (i = 0; i < results->count; i++) {
		struct buffer name = {0};

		if (!results->list[i].profile)
			continue;
		buffer_printf(&name, "profile:%s", results->list[i].name);
		buffer_add_text(xml, "      <property");
		add_attribute(xml, "name", buffer_string(&name));
		add_attribute(xml, "value", results->list[i].profile);
		buffer_add_text(xml, "/>\n");
		buffer_free(&name);
	}
	buffer_add_text(xml, "    </properties>\n");
}

enum status junit_write(const char *path, const struct results *results, struct error *error)
{
	size_t failed = results_count(results, OUTCOME_FAILED);
	size_t not_run = results_count(results, OUTCOME_NOT_RUN);
	struct buffer xml = {0};
	enum status status;
	double seconds = 0;
	size_t i;

	for (i = 0; i < results->count; i++)
		seconds += seconds_of(&results->list[i]);
	buffer_printf(&xml,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"bareprof\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"%.3f\">\n"
		"  <testsuite",
		results->count, failed, seconds);
	add_attribute(&xml, "name", results->suite);
	buffer_printf(&xml, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"%.3f\">\n",
		results->count, failed, not_run, seconds);
	add_properties(&xml, results);
	for (i = 0; i < results->count; i++)
		add_case(&xml, results, &results->list[i]);
	buffer_add_text(&xml, "  </testsuite>\n</testsuites>\n");
	status = output_write(path, (struct bytes){xml.data, xml.size}, error);
	buffer_free(&xml);
	return status;
}
