/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_binary.h - makes the raw binary for the placeholder {bin} in board.conf, for boards that cannot load an ELF
 * file.
 */
#ifndef BAREPROF_HOST_BOARD_BINARY_H
#define BAREPROF_HOST_BOARD_BINARY_H

#include "boards.h"

/*
 * board_binary - if the command of @board has {bin}, writes the raw binary of @elf to a file in @folder, and sets
 * *@path to the path of this file. Otherwise sets *@path to NULL. The old value of *@path is freed, and the caller
 * frees the new value. The caller removes @folder and the file in it.
 *
 * The binary has the same bytes as the output of `objcopy -O binary`. Its first byte is the byte at the lowest load
 * address of all sections with contents. It ends with the section at the highest load address. Gaps are filled with
 * zeros.
 *
 * Errors: SYSTEM; INVALID_INPUT (no linked ELF file, no section with contents, sections that overlap, gaps that are too
 * large).
 */
enum status board_binary(
	const struct board *board, const char *elf, const char *folder, char **path, struct error *error);

#endif
