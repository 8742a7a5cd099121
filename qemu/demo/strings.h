/* SPDX-License-Identifier: BSD-2-Clause */
/* strings.h - the string functions that the kernel needs, under names of its own. */
#ifndef STRINGS_H
#define STRINGS_H

#include <stdbool.h>
#include <stdint.h>

uint32_t str_length(const char *s);
bool str_equal(const char *a, const char *b);
bool str_starts(const char *s, const char *prefix);

/*
 * Splits @line at blanks, in place, into at most @max words. If there are more words, the last one
 * contains the rest of the line. Returns the number of words.
 */
int str_split(char *line, char *word[], int max);

/* Reads a decimal number of 32 bits. Returns false if @s is anything else. */
bool str_number(const char *s, uint32_t *value);

#endif
