/* SPDX-License-Identifier: BSD-2-Clause */
/* test_work.c - the C code that calls Rust code in letters.rs. The Rust code calls C code in this file. */
#include "selftest.h"

uint32_t vowels(const char *text, size_t length);
bool is_vowel(char letter);

bool is_vowel(char letter)
{
	switch (letter) {
	case 'a':
	case 'e':
	case 'i':
	case 'o':
	case 'u':
		return true;
	default:
		return false;
	}
}

void test_work(void)
{
	static const char text[] = "bare profile";

	EXPECT(vowels(text, sizeof(text) - 1) == 5);
}
