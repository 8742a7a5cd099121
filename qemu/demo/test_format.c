/* SPDX-License-Identifier: BSD-2-Clause */
/* test_format.c - tests that format() writes the right text, and never more than its limit. */
#include "format.h"
#include "selftest.h"
#include "strings.h"

static char buf[24];

/* gives(EXPECTED, TEXT, ARGUMENTS...) is a macro, so that a failure shows the line where the macro is used. */
#define gives(expected, ...) EXPECT(format(buf, sizeof(buf), format_args(__VA_ARGS__)) && str_equal(buf, expected))

static void conversions(void)
{
	gives("plain", "plain");
	gives("a string", "a %s", "string");
	gives("<x>", "<%c>", 'x');
	gives("0 4294967295", "%u %u", 0, 4294967295u);
	gives("-1 -2147483648", "%d %d", -1, INT32_MIN);
	gives("2147483647", "%d", INT32_MAX);
	gives("0 deadbeef", "%x %x", 0, 0xdeadbeef);
	gives("100%", "%u%%", 100);
	gives("odd ?", "odd %q", 1);
}

static void widths(void)
{
	gives("[    7]", "[%5u]", 7);
	gives("[00007]", "[%05u]", 7);
	gives("[7    ]", "[%-5u]", 7);
	gives("[ab  ][  cd]", "[%-4s][%4s]", "ab", "cd");
	gives("[too long]", "[%3s]", "too long");
}

static void limits(void)
{
	EXPECT(format(buf, 5, format_args("%s", "cut here")) == 4);
	EXPECT(str_equal(buf, "cut "));
	EXPECT(format(buf, 1, format_args("nothing")) == 0);
	EXPECT(buf[0] == '\0');
	gives("1 2 3 4 ", "%u %u %u %u %u", 1, 2, 3, 4);
	gives("open ", "open %");
}

void test_format(void)
{
	conversions();
	widths();
	limits();
}
