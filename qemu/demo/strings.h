/* SPDX-License-Identifier: BSD-2-Clause */
/* strings.h - the few string functions the kernel needs, under names of its own. */
#ifndef STRINGS_H
#define STRINGS_H

#include <stdbool.h>
#include <stdint.h>

uint32_t str_length(const char *s);
bool str_equal(const char *a, const char *b);
bool str_starts(const char *s, const char *prefix);

/*
 * Cut @line at its blanks, in place, into at most @max words; the last one
 * keeps what is left. Returns how many there are.
 */
int str_split(char *line, char *word[], int max);

/* A decimal number of 32 bits; false if @s is anything else. */
bool str_number(const char *s, uint32_t *value);

#endif
