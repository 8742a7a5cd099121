/* SPDX-License-Identifier: BSD-2-Clause */
/* next.c - the commands to go on with: a report of all profiles, or an indexed profile of them. */
#include "doctor.h"
#include "versions.h"

#include <stdlib.h>

static void add_path(struct buffer *command, const char *path)
{
	char *quoted = doctor_quote(path);

	buffer_printf(command, " %s", quoted);
	free(quoted);
}

/* Returns the release of the tool that said something, or that of the compiler of the program @elf; 0: not known. */
static unsigned int release_of_tool(const struct doctor *doctor, const char *elf)
{
	unsigned int release = doctor->release;
	size_t i;

	if (!doctor->said.sentences)
		return 0;
	for (i = 0; i < doctor->count && !release && elf; i++)
		if (doctor->files[i].kind == FILE_ELF && !strcmp(doctor->files[i].path, elf))
			release = doctor->files[i].clang;
	return release >= RELEASE_OLDEST && release <= RELEASE_NEWEST ? release : 0;
}

/* Returns whether the counts of @file belong into a result. */
static bool is_wanted(const struct doctor_file *file)
{
	return file->readable && file->kind != FILE_ELF && !file->within;
}

/* Returns whether records and names of @file are in the ELF file only. */
static bool needs_elf(const struct doctor_file *file)
{
	return file->kind == FILE_DUMPS || file->lean;
}

char *doctor_merge(const struct doctor *doctor, const struct doctor_file *file)
{
	const char *elf = doctor_elf_path(doctor, file);
	unsigned int release = release_of_tool(doctor, elf);
	char *out = doctor_out(file->path, ".merged.profdata");
	struct buffer command = {0};
	char *result;

	buffer_add_text(&command, "bareprof merge");
	if (elf && needs_elf(file)) {
		buffer_add_text(&command, " --elf");
		add_path(&command, elf);
	}
	if (release)
		buffer_printf(&command, " --for-llvm %u", release);
	buffer_printf(&command, " -o %s", out);
	add_path(&command, file->path);
	result = format("%s", buffer_string(&command));
	buffer_free(&command);
	free(out);
	return result;
}

/* Appends the profiles that come from @elf. If @elf is NULL, appends all profiles. Returns their number. */
static size_t add_profiles(const struct doctor *doctor, const struct doctor_file *elf, struct buffer *command)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < doctor->count; i++) {
		const struct doctor_file *file = &doctor->files[i];

		if (!is_wanted(file) || (elf && (!file->fits || strcmp(file->fits, elf->path) != 0)))
			continue;
		/* The programs precede the profiles. */
		if (elf && !count)
			add_path(command, elf->path);
		add_path(command, file->path);
		count++;
	}
	return count;
}

/* Appends the program of each profile that has its records there, once. */
static void add_programs(const struct doctor *doctor, struct buffer *command)
{
	size_t i;
	size_t k;

	for (i = 0; i < doctor->count; i++)
		for (k = 0; doctor->files[i].kind == FILE_ELF && k < doctor->count; k++) {
			const struct doctor_file *file = &doctor->files[k];

			if (!is_wanted(file) || !needs_elf(file) || !file->fits ||
				strcmp(file->fits, doctor->files[i].path) != 0)
				continue;
			buffer_add_text(command, " --elf");
			add_path(command, file->fits);
			break;
		}
}

void doctor_next(struct doctor *doctor)
{
	const struct doctor_file *first = NULL;
	struct buffer command = {0};
	size_t reported = 0;
	size_t i;

	for (i = 0; i < doctor->count && !first; i++)
		if (is_wanted(&doctor->files[i]))
			first = &doctor->files[i];
	if (!first || doctor->next)
		return;
	buffer_add_text(&command, "bareprof report");
	for (i = 0; i < doctor->count; i++)
		if (doctor->files[i].kind == FILE_ELF && doctor->files[i].mapped)
			reported += add_profiles(doctor, &doctor->files[i], &command);
	if (!reported) {
		char *out = doctor_out(first->path, ".merged.profdata");

		command.size = 0;
		buffer_add_text(&command, "bareprof merge");
		add_programs(doctor, &command);
		buffer_printf(&command, " -o %s", out);
		add_profiles(doctor, NULL, &command);
		free(out);
	}
	doctor->next = format("%s", buffer_string(&command));
	buffer_free(&command);
}
