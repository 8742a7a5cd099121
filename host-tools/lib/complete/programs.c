/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.c - finds the program of a profile by its build id. Equal sizes of sections do not prove
 * that a program and a profile belong together, because another build of the same sources may have
 * the same sizes. With a wrong program, the counts would be shown at wrong lines.
 */
#include "programs.h"
#include "elf_info.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void programs_start(struct programs *programs)
{
	*programs = (struct programs){0};
	pthread_mutex_init(&programs->lock, NULL);
}

static void close_program(struct program *program)
{
	program_close(program);
	free(program);
}

void programs_free(struct programs *programs)
{
	size_t i;

	for (i = 0; i < programs->count; i++)
		close_program(programs->list[i]);
	for (i = 0; i < programs->folder_count; i++)
		free(programs->folders[i]);
	for (i = 0; i < programs->file_count; i++) {
		free(programs->files[i].path);
		buffer_free(&programs->files[i].id);
	}
	free(programs->list);
	free(programs->folders);
	free(programs->files);
	pthread_mutex_destroy(&programs->lock);
}

bool programs_any(const struct programs *programs)
{
	return programs && (programs->count || programs->folder_count);
}

static void keep(struct programs *programs, struct program *program)
{
	programs->list = array_grow(programs->list, programs->count, &programs->room, sizeof(*programs->list));
	programs->list[programs->count++] = program;
}

static struct program *open_program(
	struct programs *programs, const char *path, enum status *status, struct error *error)
{
	struct program *program = allocate(1, sizeof(*program));

	*status = program_open(program, path, error);
	if (*status != STATUS_OK) {
		close_program(program);
		return NULL;
	}
	keep(programs, program);
	return program;
}

enum status programs_elf(struct programs *programs, const char *path, struct error *error)
{
	enum status status;

	if (open_program(programs, path, &status, error))
		programs->given++;
	return status;
}

enum status programs_symbols(struct programs *programs, const char *path, struct error *error)
{
	struct program *program = allocate(1, sizeof(*program));
	enum status status = program_from_symbols(program, path, error);

	/* programs_free() frees it also after an error. */
	keep(programs, program);
	programs->given++;
	return status;
}

enum status programs_folder(struct programs *programs, const char *path, struct error *error)
{
	struct stat is;

	if (stat(path, &is))
		return error_set(error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	if (!S_ISDIR(is.st_mode))
		return error_set(error, STATUS_SYSTEM, "is not a folder; use --elf to give an ELF file");
	programs->folders = array_grow(
		programs->folders, programs->folder_count, &programs->folder_room, sizeof(*programs->folders));
	programs->folders[programs->folder_count++] = format("%s", path);
	return STATUS_OK;
}

static struct bytes id_of(const struct program *program)
{
	return (struct bytes){program->build_id.data, program->build_id.size};
}

static bool same_id(struct bytes a, struct bytes b)
{
	return a.size == b.size && a.size && !memcmp(a.data, b.data, a.size);
}

/* Opens the program at @path. Returns NULL if it cannot be opened or has another build id. */
static struct program *try_file(struct programs *programs, const char *path, struct bytes id)
{
	struct program *program;
	enum status status;
	struct error unused;

	if (access(path, R_OK))
		return NULL;
	program = open_program(programs, path, &status, &unused);
	if (!program || same_id(id_of(program), id))
		return program;
	programs->count--;
	close_program(program);
	return NULL;
}

/*
 * Looks for the program in @folder under the paths that debuggers use: the first byte of the build
 * id names a folder, and its other bytes name a file. If these paths lead to several programs,
 * prefers a program that has records.
 */
static struct program *find_by_name(struct programs *programs, const char *folder, struct bytes id)
{
	static const char *const places[][2] = {{"/.build-id", ""}, {"/.build-id", ".debug"}, {"", ""}, {"", ".debug"}};
	struct program *found = NULL;
	struct buffer text = {0};
	size_t i;

	buffer_add_hex(&text, id);
	buffer_string(&text);
	for (i = 0; i < sizeof(places) / sizeof(*places) && (!found || !program_has(found)) && id.size > 1; i++) {
		const char *digits = (const char *)text.data;
		char *path = format("%s%s/%.2s/%s%s", folder, places[i][0], digits, digits + 2, places[i][1]);
		struct program *other = try_file(programs, path, id);

		if (other)
			found = other;
		free(path);
	}
	buffer_free(&text);
	return found;
}

static void add_file(struct programs *programs, const char *path)
{
	struct program_file *file;
	struct elf_info info;
	struct error unused;

	if (elf_read(&info, path, &unused) != STATUS_OK)
		return;
	if (!info.build_id.size) {
		elf_free(&info);
		return;
	}
	programs->files =
		array_grow(programs->files, programs->file_count, &programs->file_room, sizeof(*programs->files));
	file = &programs->files[programs->file_count++];
	file->path = format("%s", path);
	file->id = info.build_id;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Lists the ELF files in the folders and their subfolders. The order of the list does not depend on the file system. */
static void scan_folders(struct programs *programs)
{
	char *const *folders =
		array_grow(programs->folders, programs->folder_count, &programs->folder_room, sizeof(char *));
	FTS *tree;
	FTSENT *entry;

	programs->folders = (char **)(uintptr_t)folders;
	programs->folders[programs->folder_count] = NULL;
	programs->folders_scanned = true;
	tree = fts_open(folders, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	if (!tree)
		return;
	while ((entry = fts_read(tree))) {
		struct stat is;

		if (entry->fts_info == FTS_F ||
			(entry->fts_info == FTS_SL && !stat(entry->fts_accpath, &is) && S_ISREG(is.st_mode)))
			add_file(programs, entry->fts_accpath);
	}
	fts_close(tree);
}

static struct program *find_in_folders(struct programs *programs, struct bytes id)
{
	struct program *found = NULL;
	size_t i;

	for (i = 0; i < programs->folder_count && (!found || !program_has(found)); i++) {
		struct program *other = find_by_name(programs, programs->folders[i], id);

		if (other)
			found = other;
	}
	if (found && program_has(found))
		return found;
	if (!programs->folders_scanned)
		scan_folders(programs);
	for (i = 0; i < programs->file_count && (!found || !program_has(found)); i++) {
		const struct program_file *file = &programs->files[i];
		struct program *other = same_id((struct bytes){file->id.data, file->id.size}, id)
		                                ? try_file(programs, file->path, id)
		                                : NULL;

		if (other)
			found = other;
	}
	return found;
}

/*
 * Searches the programs that are already open for a program with the build id @id. These programs
 * are open because the user named them or earlier inputs needed them. Prefers a program that has
 * records. Returns NULL if no open program has the build id.
 */
static struct program *find_opened(const struct programs *programs, struct bytes id)
{
	struct program *found = NULL;
	size_t i;

	for (i = 0; i < programs->count && (!found || !program_has(found)); i++)
		if (same_id(id_of(programs->list[i]), id))
			found = programs->list[i];
	return found;
}

bool programs_have(struct programs *programs, struct bytes id)
{
	bool found;

	if (!programs_any(programs) || !id.size || bytes_are_zero(id))
		return false;
	pthread_mutex_lock(&programs->lock);
	found = find_opened(programs, id) || (programs->folder_count && find_in_folders(programs, id));
	pthread_mutex_unlock(&programs->lock);
	return found;
}

static enum status never_stamped(const char *what, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"cannot be completed: the build id of %s is all zeros, because the image was never stamped; run "
		"'bareprof stamp' on the image before you load it, so that bareprof can find the ELF file of a profile",
		what);
}

/*
 * Sets *@program to the program that the user gave, without a comparison of build ids. Fails if the user did not
 * give exactly one program, or if this program was never stamped. Adds a warning, because the program may be the wrong
 * one. @has_id is true if the profile has a build id and the program has none.
 */
static enum status take_unchecked(
	struct programs *programs, bool has_id, struct program **program, struct buffer *remark, struct error *error)
{
	if (!programs->given)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no build id, so its ELF file cannot be found in a folder: give that file with --elf");
	if (programs->given > 1)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no build id, so bareprof cannot tell to which of the %zu ELF files it belongs: give only "
			"the ELF file of the program that was run",
			programs->given);
	*program = programs->list[0];
	if ((*program)->unstamped)
		return never_stamped((*program)->path, error);
	/* The records come from the same memory as the counters. */
	if ((*program)->image.listed)
		return STATUS_OK;
	buffer_add_clause(remark,
		"%s has no build id, so bareprof cannot check that the profile belongs to the ELF file %s",
		has_id ? "the ELF file" : "it", (*program)->path);
	return STATUS_OK;
}

static enum status not_found(const struct programs *programs, struct bytes id, struct error *error)
{
	struct buffer text = {0};
	size_t i;

	buffer_add_text(&text, "comes from another build than ");
	for (i = 0; i < programs->given && i < 3; i++) {
		buffer_printf(&text, "%sthe ELF file %s (build id ", i ? ", " : "", programs->list[i]->path);
		buffer_add_hex(&text, id_of(programs->list[i]));
		buffer_add_text(&text, programs->list[i]->build_id.size ? ")" : "none)");
	}
	if (programs->given > 3)
		buffer_printf(&text, " and %zu more", programs->given - 3);
	if (programs->folder_count)
		buffer_printf(&text, "%sthe %zu ELF files in %s%s", programs->given ? " and " : "",
			programs->file_count, programs->folders[0], programs->folder_count > 1 ? " and others" : "");
	buffer_add_text(&text, ": its own build id is ");
	buffer_add_hex(&text, id);
	buffer_add_text(&text, "; give the ELF file of the program that was run, not of an earlier or later build");
	error_set(error, STATUS_INVALID_INPUT, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

static enum status find_program(struct programs *programs, struct bytes id, struct program **program,
	struct buffer *remark, struct error *error)
{
	if (!id.size)
		return take_unchecked(programs, false, program, remark, error);
	/* A build id that is all zeros has not been stamped yet. */
	if (bytes_are_zero(id))
		return never_stamped("the image that was run", error);
	*program = find_opened(programs, id);
	if (!*program && programs->folder_count)
		*program = find_in_folders(programs, id);
	if (*program)
		return STATUS_OK;
	if (programs->given == 1 && !id_of(programs->list[0]).size)
		return take_unchecked(programs, true, program, remark, error);
	return not_found(programs, id, error);
}

enum status programs_find(struct programs *programs, struct bytes id, struct program **program, struct buffer *remark,
	struct error *error)
{
	enum status status;

	pthread_mutex_lock(&programs->lock);
	status = find_program(programs, id, program, remark, error);
	pthread_mutex_unlock(&programs->lock);
	return status;
}
