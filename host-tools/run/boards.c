/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * boards.c - finds boards and reads their configuration files.
 *
 * A board is a folder BOARD with a file board.conf in it. Three folders are searched for BOARD: $BAREPROF_BOARDS, then
 * ../qemu and ../share/bareprof/boards, both relative to the folder of the program. If several folders have a board
 * with this name, the first one found is used.
 *
 * board.conf has lines of the form `key = value` (config_file.h). Unknown keys are errors, so that misspelt keys are
 * found. The keys machine and qemu are required. These are the keys:
 *
 *	machine = arm         The ELF machines that the board boots, separated by
 *	                      spaces: x86_64 i386 arm aarch64 riscv64 riscv32. These
 *	                      are the names that `file` and toolchains use. The
 *	                      names arm-a, arm-r and arm-m mean only Arm programs
 *	                      whose build attributes give the architecture profile
 *	                      A, R or M. For such a program, a default board for
 *	                      its profile takes precedence over a default board
 *	                      for arm.
 *	default = yes         If --board is not given, use this board for its
 *	                      machines. If several boards are defaults, the first
 *	                      by name is used. Without this key, the board is not a
 *	                      default.
 *	qemu = WORDS          The command. It is split into words at spaces, and
 *	                      quotes have no effect. In each word, {elf} is replaced
 *	                      by the path of the program to boot, and {board} by the
 *	                      folder of the board. {bin} is replaced by the path of a
 *	                      raw binary of the program (board_binary.h), for
 *	                      machines and options that load no ELF file, such as
 *	                      -bios and -device loader. (A pflash drive needs a file
 *	                      of the size of the flash.) {dump} is replaced by the
 *	                      path of a new, empty file, the side channel. The guest
 *	                      may write any kind of capture to this file. QEMU's
 *	                      standard input and output must be the console: use
 *	                      -serial stdio -monitor none -display none. Also use
 *	                      -no-reboot, so that QEMU ends if the guest resets
 *	                      itself. Without -no-reboot, the guest would start again
 *	                      unnoticed.
 *	package = NAME        The error for a missing command names this Debian
 *	                      package.
 *	exit = plain          QEMU exits with the status of the guest
 *	                      (semihosting). This is the default.
 *	exit = isa-debug-exit The guest writes its status S to QEMU's device
 *	                      isa-debug-exit, and QEMU exits with 2 S + 1. S is 0
 *	                      for success. An even exit status of QEMU means that
 *	                      the guest was reset or switched off without a status.
 *	                      This counts as a failure.
 */
#include "boards.h"
#include "bytes.h"
#include "config_file.h"
#include "input.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOARD_FOLDERS 3

/*
 * Sets @folders to the paths of the folders that may contain boards. An element may be NULL. The caller frees each
 * path.
 */
static void board_folders(char *folders[BOARD_FOLDERS])
{
	const char *wanted = getenv("BAREPROF_BOARDS");
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	folders[0] = wanted && *wanted ? format("%s", wanted) : NULL;
	folders[1] = folders[2] = NULL;
	if (n <= 0)
		return;
	self[n] = 0;
	slash = strrchr(self, '/');
	if (!slash)
		return;
	*slash = 0;
	folders[1] = format("%s/../qemu", self);
	folders[2] = format("%s/../share/bareprof/boards", self);
}

static void replace(char **field, const char *value)
{
	free(*field);
	*field = format("%s", value);
}

static enum status set_key(void *context, const char *key, const char *value, struct error *error)
{
	struct board *board = context;

	if (!strcmp(key, "machine"))
		replace(&board->machine, value);
	else if (!strcmp(key, "qemu"))
		replace(&board->qemu, value);
	else if (!strcmp(key, "package"))
		replace(&board->package, value);
	else if (!strcmp(key, "default") && (!strcmp(value, "yes") || !strcmp(value, "no")))
		board->is_default = *value == 'y';
	else if (!strcmp(key, "exit") && !strcmp(value, "plain"))
		board->exit = BOARD_EXIT_PLAIN;
	else if (!strcmp(key, "exit") && !strcmp(value, "isa-debug-exit"))
		board->exit = BOARD_EXIT_ISA_DEBUG;
	else
		return error_set(error, STATUS_INVALID_INPUT,
			"'%s = %s' is not valid; keys are machine, default, qemu, package and exit", key, value);
	return STATUS_OK;
}

static void use_folder(struct board *board, const char *folder)
{
	const char *rest = board->qemu;
	struct buffer command = {0};
	const char *mark;

	while ((mark = strstr(rest, "{board}"))) {
		buffer_add(&command, rest, (size_t)(mark - rest));
		buffer_add_text(&command, folder);
		rest = mark + strlen("{board}");
	}
	buffer_add_text(&command, rest);
	replace(&board->qemu, buffer_string(&command));
	buffer_free(&command);
}

/* Reads PARENT/NAME/board.conf. *@found is set to true if this file exists, otherwise to false. */
static enum status read_board(
	struct board *board, const char *parent, const char *name, bool *found, struct error *error)
{
	char *folder = format("%s/%s", parent, name);
	char *path = format("%s/board.conf", folder);
	struct error reason = {""};
	enum status status = STATUS_OK;
	struct input input;

	*found = access(path, F_OK) == 0;
	if (*found) {
		status = input_read(&input, path, &reason);
		if (status == STATUS_OK) {
			board->name = format("%s", name);
			status = config_file_read(input.bytes, set_key, board, &reason);
			input_free(&input);
		}
		if (status == STATUS_OK && (!board->machine || !board->qemu))
			status = error_set(&reason, STATUS_INVALID_INPUT, "the keys machine and qemu are required");
		if (status != STATUS_OK)
			error_set(error, status, "%s: %s", path, reason.text);
		else
			use_folder(board, folder);
	}
	free(path);
	free(folder);
	return status;
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (; words; words = strchr(words, ' ')) {
		words += strspn(words, " ");
		if (!strncmp(words, word, n) && (!words[n] || words[n] == ' '))
			return true;
	}
	return false;
}

/*
 * Searches the boards of one folder for the default board of @machine. If @machine is NULL, only appends the names of
 * all boards to @names.
 */
static enum status search_folder(struct board *board, const char *folder, const char *machine, struct buffer *names,
	bool *found, struct error *error)
{
	enum status status = STATUS_OK;
	struct dirent **entry;
	int n = scandir(folder, &entry, NULL, alphasort);
	int i;

	for (i = 0; i < n; i++) {
		struct board candidate = {0};
		bool there = false;

		if (status == STATUS_OK && !*found && entry[i]->d_name[0] != '.')
			status = read_board(&candidate, folder, entry[i]->d_name, &there, error);
		if (there && names)
			buffer_printf(names, "%s%s", names->size ? ", " : "", entry[i]->d_name);
		if (status == STATUS_OK && there && machine && candidate.is_default &&
			has_word(candidate.machine, machine)) {
			*board = candidate;
			*found = true;
		} else {
			board_free(&candidate);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return status;
}

static enum status not_found(const char *name, const char *machine, char *folders[BOARD_FOLDERS], struct error *error)
{
	struct buffer names = {0};
	struct board unused = {0};
	struct error ignored;
	enum status status;
	bool found = false;
	int i;

	for (i = 0; i < BOARD_FOLDERS; i++)
		if (folders[i])
			search_folder(&unused, folders[i], NULL, &names, &found, &ignored);
	if (!names.size)
		status = error_set(error, STATUS_USAGE,
			"no boards were found; set BAREPROF_BOARDS to a folder of boards, such as qemu/ of the source "
			"tree");
	else if (name)
		status = error_set(
			error, STATUS_USAGE, "there is no board '%s'; choose one of: %s", name, buffer_string(&names));
	else
		status = error_set(error, STATUS_INVALID_INPUT,
			"there is no default board for %s programs; choose one with --board: %s", machine,
			buffer_string(&names));
	buffer_free(&names);
	return status;
}

enum status board_find(struct board *board, const char *name, const struct elf_info *elf, struct error *error)
{
	enum status status = STATUS_OK;
	char *folders[BOARD_FOLDERS];
	bool found = false;
	int i;

	*board = (struct board){0};
	board_folders(folders);
	for (i = 0; i < BOARD_FOLDERS && status == STATUS_OK && !found; i++) {
		if (!folders[i])
			continue;
		if (!name && elf->machine_profile)
			status = search_folder(board, folders[i], elf->machine_profile, NULL, &found, error);
		if (!name && !found && status == STATUS_OK)
			status = search_folder(board, folders[i], elf->machine, NULL, &found, error);
		else if (name && *name && !strchr(name, '/') && *name != '.')
			status = read_board(board, folders[i], name, &found, error);
	}
	if (status == STATUS_OK && !found)
		status = not_found(name, elf->machine, folders, error);
	for (i = 0; i < BOARD_FOLDERS; i++)
		free(folders[i]);
	return status;
}

bool board_fits(const struct board *board, const struct elf_info *elf)
{
	const char *profile = elf->machine_profile;

	if (!strcmp(elf->machine, "unknown"))
		return true;
	if (has_word(board->machine, elf->machine) || (profile && has_word(board->machine, profile)))
		return true;
	/* Without build attributes, the architecture profile of an Arm program is not known. */
	return !profile && !strcmp(elf->machine, "arm") && strstr(board->machine, "arm-");
}

void board_free(struct board *board)
{
	free(board->name);
	free(board->machine);
	free(board->qemu);
	free(board->package);
	*board = (struct board){0};
}

/* Returns a copy of @word in which {elf}, {bin} and {dump} are replaced by paths. The caller frees the copy. */
static char *fill_placeholders(const char *word, const struct board_paths *paths)
{
	struct buffer filled = {0};

	while (*word) {
		if (!strncmp(word, "{elf}", 5)) {
			buffer_add_text(&filled, paths->elf);
			word += 5;
		} else if (!strncmp(word, "{bin}", 5)) {
			buffer_add_text(&filled, paths->binary);
			word += 5;
		} else if (!strncmp(word, "{dump}", 6)) {
			buffer_add_text(&filled, paths->dump);
			word += 6;
		} else {
			buffer_add(&filled, word++, 1);
		}
	}
	buffer_string(&filled);
	return (char *)filled.data;
}

char **board_command(const struct board *board, const struct board_paths *paths, char *const *more)
{
	char *copy = format("%s", board->qemu);
	char *rest = copy;
	char **words = NULL;
	char *word;
	size_t room = 0;
	size_t n = 0;

	while ((word = strsep(&rest, " \t\r\n"))) {
		words = array_grow(words, n, &room, sizeof(*words));
		if (*word)
			words[n++] = fill_placeholders(word, paths);
	}
	free(copy);
	for (; *more; more++) {
		words = array_grow(words, n, &room, sizeof(*words));
		words[n++] = format("%s", *more);
	}
	words = array_grow(words, n, &room, sizeof(*words));
	words[n] = NULL;
	return words;
}

void board_command_free(char **words)
{
	size_t i;

	for (i = 0; words[i]; i++)
		free(words[i]);
	free(words);
}
