/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * words.h - lists of the words of a command line, and response files: files with further words.
 */
#ifndef BAREPROF_HOST_WORDS_H
#define BAREPROF_HOST_WORDS_H

#include "bytes.h"

/* A list of words, which ends with NULL. Before its first use it is all zeros; words_free() frees it and its words. */
struct words {
	char **list;
	size_t count;
	size_t room;
};

/* words_add - appends a copy of @word. words_add_all - appends copies of the words in @list, which ends with NULL. */
void words_add(struct words *words, const char *word);
void words_add_all(struct words *words, char *const *list);
void words_free(struct words *words);

/*
 * words_split - appends the words of @text, as gcc and clang read a response file. White space separates words. Single
 * and double quotes keep the white space in a word. A backslash keeps the character that follows.
 */
void words_split(struct words *words, struct bytes text);

/*
 * words_expand - appends the words in @list, which ends with NULL. A word @FILE stands for the words in FILE, which may
 * name further response files. If FILE cannot be read, the word is appended as it is, which is what gcc and clang do.
 * Returns false if more than WORDS_FILES_MAX files are read; two files may name each other.
 */
#define WORDS_FILES_MAX 2000
bool words_expand(struct words *words, char *const *list);

/* words_quote - appends a response file with the words in @list, which ends with NULL, to @text. */
void words_quote(struct buffer *text, char *const *list);

#endif
