/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_files.c - opens the files and the folder that --elf and --elf-dir name.
 */
#include "elf_files.h"
#include "exit.h"

enum status elf_files_open(struct programs *programs, const char *const *paths, const char *folder)
{
	enum status status = STATUS_OK;
	struct error error;

	for (; *paths && status == STATUS_OK; paths++) {
		status = programs_elf(programs, *paths, &error);
		if (status != STATUS_OK)
			error_print(*paths, &error);
	}
	if (folder && status == STATUS_OK) {
		status = programs_folder(programs, folder, &error);
		if (status != STATUS_OK)
			error_print(folder, &error);
	}
	return status;
}

void print_warnings(const char *subject, struct completion_report *report)
{
	if (report->warning.size)
		complain(subject, "warning: %s", buffer_string(&report->warning));
	if (report->note.size)
		complain(subject, "note: %s", buffer_string(&report->note));
}
