/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * junit.c - writes the JUnit XML that Jenkins and GitLab read. For tests that were tried again, the XML contains the
 * elements that Maven Surefire uses. JUnit XML has no standard, but there are several schemas. The output is valid by
 * the strictest of these schemas (tests/host/lib/junit.xsd). This schema allows no properties in a testcase, so the
 * paths of profiles are properties of the suite.
 */
#include "junit.h"
#include "output.h"
#include "xml.h"

#include <string.h>

static void add_attribute(struct buffer *xml, const char *name, const char *value)
{
	xml_add_attribute(xml, name, (struct bytes){(const uint8_t *)value, strlen(value)}, 0);
}

/* Appends @text to @xml. Each line end CR LF is replaced by LF. */
static void add_output(struct buffer *xml, struct bytes text)
{
	const uint8_t *end;

	while ((end = text.size ? memmem(text.data, text.size, "\r\n", 2) : NULL)) {
		xml_add(xml, (struct bytes){text.data, (size_t)(end - text.data)}, XML_CONTENT);
		text.size -= (size_t)(end - text.data) + 1;
		text.data = end + 1;
	}
	xml_add(xml, text, XML_CONTENT);
}

static void add_console(struct buffer *xml, const struct attempt *attempt, const char *indent)
{
	buffer_printf(xml, "%s<system-out>", indent);
	if (attempt->left_out)
		buffer_printf(xml, "[%zu bytes before this are left out; the file of --log contains them]\n",
			attempt->left_out);
	add_output(xml, (struct bytes){attempt->console.data, attempt->console.size});
	buffer_add_text(xml, "</system-out>\n");
}

static void add_text(struct buffer *xml, const char *text)
{
	add_output(xml, (struct bytes){(const uint8_t *)text, strlen(text)});
}

/*
 * Appends a try that failed as the element @element. If a later try passed, @element is "flakyFailure". If no try
 * passed, @element is "failure" for the first try, and "rerunFailure" for the other tries. The reason is written twice,
 * because some systems show the attribute "message" and other systems show only the content.
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
