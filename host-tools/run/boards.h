/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * boards.h - the boards that `bareprof run` can boot, from their description
 * files. boards.c says what is in such a file.
 */
#ifndef BAREPROF_HOST_BOARDS_H
#define BAREPROF_HOST_BOARDS_H

#include "error.h"

#include <stdbool.h>

enum board_exit {
	BOARD_EXIT_PLAIN,
	BOARD_EXIT_ISA_DEBUG,
};

/* All texts are owned by the board; qemu is the template with placeholders. */
struct board {
	char *name;
	char *machine;
	char *qemu;
	char *package;
	bool is_default;
	enum board_exit exit;
};

/*
 * board_find - the board called @name, or with @name NULL the default board for
 * the ELF machine @machine. The caller frees it with board_free(), also after
 * an error. Errors: USAGE (no such board; the text names those there are), INVALID_INPUT
 * (none for that machine, or a description that is wrong).
 */
enum status board_find(struct board *board, const char *name, const char *machine, struct error *error);
void board_free(struct board *board);

/*
 * board_command - the words of the command that boots @elf with the side
 * channel in the file @dump, and @more (NULL at the end) after them: a
 * NULL-terminated array for execvp(), which the caller frees with
 * board_command_free().
 */
char **board_command(const struct board *board, const char *elf, const char *dump, char *const *more);
void board_command_free(char **words);

#endif
