/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * boards.h - finds a board that `bareprof run` can boot, and builds QEMU's command line.
 * boards.c describes the files in which boards are configured.
 */
#ifndef BAREPROF_HOST_BOARDS_H
#define BAREPROF_HOST_BOARDS_H

#include "elf_info.h"
#include "error.h"

#include <stdbool.h>

enum board_exit {
	BOARD_EXIT_PLAIN,
	BOARD_EXIT_ISA_DEBUG,
};

/* The board owns all texts. The comment at the top of boards.c describes the fields. */
struct board {
	char *name; /* name of the board's folder */
	char *machine;
	char *qemu; /* the command, with placeholders */
	char *package; /* NULL: not given */
	bool is_default;
	enum board_exit exit;
};

/*
 * board_find - finds the board called @name, or, if @name is NULL, the default board for the machine of @elf. The
 * caller frees @board with board_free(), also after an error. Errors: USAGE (no such board, or no boards at all; the
 * text lists the existing boards), INVALID_INPUT (no default board for the machine, or a board.conf with errors).
 */
enum status board_find(struct board *board, const char *name, const struct elf_info *elf, struct error *error);

/* board_fits - returns whether the machine of @elf is one of the machines that @board boots. */
bool board_fits(const struct board *board, const struct elf_info *elf);
void board_free(struct board *board);

/* The paths of the files in the command of a board. */
struct board_paths {
	const char *elf; /* the program */
	const char *binary; /* the program's raw binary; NULL: the command has no {bin} */
	const char *dump; /* the side channel's file */
};

/*
 * board_command - returns the words of the command that boots paths->elf, for execvp(). The words in @more are appended
 * to the command. @more and the result end with NULL. The caller frees the result with board_command_free().
 */
char **board_command(const struct board *board, const struct board_paths *paths, char *const *more);
void board_command_free(char **words);

#endif
