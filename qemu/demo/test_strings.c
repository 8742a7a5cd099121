/* SPDX-License-Identifier: BSD-2-Clause */
/* test_strings.c - tests the string functions. */
#include "selftest.h"
#include "strings.h"

static void comparing(void)
{
	EXPECT(str_length("") == 0);
	EXPECT(str_length("four") == 4);
	EXPECT(str_equal("", ""));
	EXPECT(str_equal("ring", "ring"));
	EXPECT(!str_equal("ring", "rings"));
	EXPECT(!str_equal("ring", "rang"));
	EXPECT(str_starts("timer", "time"));
	EXPECT(str_starts("timer", ""));
	EXPECT(!str_starts("tim", "time"));
}

static void splitting(void)
{
	char line[] = "  sleep\t100  and more ";
	char blank[] = " \t ";
	char *word[3];

	EXPECT(str_split(line, word, 3) == 3);
	EXPECT(str_equal(word[0], "sleep"));
	EXPECT(str_equal(word[1], "100"));
	EXPECT(str_equal(word[2], "and more "));
	EXPECT(str_split(blank, word, 3) == 0);
}

static void numbers(void)
{
	uint32_t value = 7;

	EXPECT(str_number("0", &value) && value == 0);
	EXPECT(str_number("1024", &value) && value == 1024);
	EXPECT(str_number("4294967295", &value) && value == UINT32_MAX);
	EXPECT(!str_number("4294967296", &value));
	EXPECT(!str_number("42949672950", &value));
	EXPECT(!str_number("", &value));
	EXPECT(!str_number("12a", &value));
	EXPECT(!str_number("-1", &value));
	EXPECT(value == UINT32_MAX);
}

void test_strings(void)
{
	comparing();
	splitting();
	numbers();
}
