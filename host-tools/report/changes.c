/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * changes.c - runs git diff and reads its output. The options of the command override everything in the user's git
 * configuration that can change the output. Without --text, git prints no lines of some files, such as files with a
 * zero byte, or files that .gitattributes excludes from diffs. The reader counts the lines of each hunk, so it never
 * mistakes a line of source for a header.
 */
#include "changes.h"
#include "child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/*
 * Runs a git command that prints one line, and returns that line. The caller frees the line. If git fails, returns
 * NULL, and sets @error to the first line of git's error messages.
 */
static char *run_git(const char *const *words, struct error *error)
{
	struct buffer answer = {0};
	struct buffer complaint = {0};
	struct child child;
	char *line = NULL;
	int ended;

	if (child_start(&child, (char *const *)(uintptr_t)words, CHILD_ALL, error) != STATUS_OK) {
		if (errno == ENOENT)
			error_set(error, STATUS_SYSTEM,
				"git is not installed, but --diff needs it: install the Debian package git");
		return NULL;
	}
	child_read(child.out, &answer);
	child_read(child.err, &complaint);
	ended = caught_signal() ? child_stop(&child) : child_wait(&child);
	if (WIFEXITED(ended) && !WEXITSTATUS(ended)) {
		line = format("%s", buffer_string(&answer));
		line[strcspn(line, "\n")] = '\0';
	} else {
		const char *text = buffer_string(&complaint);

		error_set(error, STATUS_SYSTEM, "%.*s", (int)strcspn(text, "\n"), text);
	}
	buffer_free(&answer);
	buffer_free(&complaint);
	return line;
}

char *changes_top(const char *folder, struct error *error)
{
	const char *words[] = {"git", "-C", folder, "rev-parse", "--show-toplevel", NULL};

	return run_git(words, error);
}

enum status changes_read(struct changes *changes, const char *top, const char *base, struct error *error)
{
	char *wanted = format("%s^{commit}", base);
	const char *verify[] = {"git", "-C", top, "rev-parse", "--verify", "--quiet", wanted, NULL};
	/*
	 * Refuse a word that begins with a dash. git would read the word as an option, and no revision begins with a
	 * dash.
	 */
	char *commit = *base == '-' ? NULL : run_git(verify, error);
	const char *words[] = {"git", "-C", top, "-c", "core.quotePath=off", "diff", "-U0", "--inter-hunk-context=0",
		"--no-color", "--no-ext-diff", "--no-textconv", "--text", "--no-prefix", "--no-relative",
		"--submodule=short", commit, "--", NULL};
	struct buffer diff = {0};
	enum status status;
	int exit_status;

	free(wanted);
	if (!commit)
		return error_set(error, STATUS_INVALID_INPUT,
			"is not a revision in the repository %s; if the clone is shallow, 'git fetch --unshallow' "
			"gets the rest",
			top);
	status = child_run((char *const *)(uintptr_t)words, &diff, &exit_status, error);
	if (status == STATUS_OK && exit_status)
		status = error_set(error, STATUS_SYSTEM, "git diff failed with status %d", exit_status);
	if (status == STATUS_OK)
		changes_parse(changes, (struct bytes){diff.data, diff.size});
	buffer_free(&diff);
	free(commit);
	return status;
}

static bool take_number(struct bytes *text, uint64_t *value)
{
	size_t n = 0;

	*value = 0;
	while (n < text->size && text->data[n] >= '0' && text->data[n] <= '9')
		*value = *value * 10 + (text->data[n++] - '0');
	return n && bytes_slice(*text, n, text->size - n, text);
}

/*
 * Reads a range of lines: the first line and the number of lines, such as "12,3". For a single line, git prints only
 * "12".
 */
static bool take_range(struct bytes *text, uint64_t *first, uint64_t *count)
{
	*count = 1;
	return take_number(text, first) && (!bytes_after(text, ",") || take_number(text, count));
}

/*
 * Returns the character that an escape sequence stands for. The sequence consists of a backslash and @c. @c is not an
 * octal digit.
 */
static char escaped(uint8_t c)
{
	static const char codes[] = "a\ab\bt\tn\nv\vf\fr\r";
	const char *at = memchr(codes, c, sizeof(codes) - 1);

	return at && (at - codes) % 2 == 0 ? at[1] : (char)c;
}

/* Reads a file name from a diff. Git quotes and escapes unusual names, and adds a tab after names with a blank. */
static char *file_name(struct bytes text)
{
	struct buffer name = {0};
	char *result;

	if (!bytes_after(&text, "\"")) {
		if (text.size && text.data[text.size - 1] == '\t')
			text.size--;
		return format("%.*s", (int)text.size, (const char *)text.data);
	}
	while (text.size && *text.data != '"') {
		char c = (char)*text.data;
		unsigned int digits = 0;

		bytes_slice(text, 1, text.size - 1, &text);
		if (c == '\\' && text.size) {
			unsigned int value = 0;

			while (digits < 3 && digits < text.size && text.data[digits] >= '0' && text.data[digits] <= '7')
				value = value * 8 + (text.data[digits++] - '0');
			c = digits ? (char)value : escaped(*text.data);
			digits = digits ? digits : 1;
			bytes_slice(text, digits, text.size - digits, &text);
		}
		buffer_add(&name, &c, 1);
	}
	result = format("%s", buffer_string(&name));
	buffer_free(&name);
	return result;
}

static void add_file(struct changes *changes, char *name)
{
	changes->files = array_grow(changes->files, changes->file_count, &changes->file_room, sizeof(*changes->files));
	changes->files[changes->file_count++] = name;
}

/*
 * Adds the new line @line. If @line directly follows the last change, extends that change. Otherwise starts another
 * change.
 */
static void add_line(struct changes *changes, uint64_t line)
{
	struct change *last = changes->count ? &changes->list[changes->count - 1] : NULL;
	size_t file = changes->file_count - 1;

	if (last && last->file == file && last->first + last->count == line) {
		last->count++;
		return;
	}
	changes->list = array_grow(changes->list, changes->count, &changes->room, sizeof(*changes->list));
	changes->list[changes->count++] = (struct change){file, line, 1};
}

/*
 * Reads the lines of a hunk. A hunk can include unchanged lines although -U0 asks for none, because the environment
 * variable GIT_DIFF_OPTS overrides this option.
 */
static void read_hunk(struct changes *changes, struct bytes header, struct bytes *diff)
{
	uint64_t old_first;
	uint64_t old_count;
	uint64_t line;
	uint64_t new_count;

	if (!take_range(&header, &old_first, &old_count) || !bytes_after(&header, " +") ||
		!take_range(&header, &line, &new_count))
		return;
	while (diff->size && (old_count || new_count)) {
		struct bytes text = bytes_line(diff);
		uint8_t sign = text.size ? *text.data : ' ';

		if (sign == '\\')
			continue;
		if (sign == '+' && changes->file_count)
			add_line(changes, line);
		old_count -= sign != '+' && old_count;
		new_count -= sign != '-' && new_count;
		line += sign != '-';
	}
}

void changes_parse(struct changes *changes, struct bytes diff)
{
	while (diff.size) {
		struct bytes line = bytes_line(&diff);

		if (bytes_after(&line, "+++ ")) {
			char *name = file_name(line);

			if (strcmp(name, "/dev/null") != 0)
				add_file(changes, name);
			else
				free(name);
		} else if (bytes_after(&line, "@@ -")) {
			read_hunk(changes, line, &diff);
		}
	}
}

void changes_free(struct changes *changes)
{
	size_t i;

	for (i = 0; i < changes->file_count; i++)
		free(changes->files[i]);
	free(changes->files);
	free(changes->list);
	*changes = (struct changes){0};
}
