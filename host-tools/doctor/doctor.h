/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor.h - the files that `bareprof doctor` examines, and the causes that it finds.
 */
#ifndef BAREPROF_HOST_DOCTOR_H
#define BAREPROF_HOST_DOCTOR_H

#include "dump_receiver.h"
#include "elf_info.h"
#include "input.h"
#include "mapping.h"
#include "model.h"
#include "raw_profile.h"
#include "said.h"

enum file_kind {
	FILE_EMPTY,
	FILE_ELF,
	FILE_CORE,
	FILE_RAW,
	FILE_INDEXED,
	FILE_TEXT, /* a text profile */
	FILE_DUMPS, /* a capture, or a log with dumps */
	FILE_SAID, /* a text with sentences of LLVM's tools */
	FILE_UNREADABLE, /* no file, a folder, or no permission */
	FILE_OTHER,
	FILE_KINDS
};

/* A function of a program or profile, as far as it is compared. */
struct doctor_function {
	uint64_t name; /* name hash */
	uint64_t hash; /* structural hash */
};

struct doctor_file {
	const char *path;
	enum file_kind kind;
	struct input input;
	struct buffer what; /* what the file is, in words */
	struct buffer id; /* build id; empty: none */
	bool sound; /* a profile that can be read completely, or an ELF file */
	bool readable; /* @model has the functions of the profile */
	struct model model;
	struct error refusal; /* the error of the readers, if the file is a profile that is not @sound */
	struct buffer rescued; /* a raw profile from other bytes, from a dump, or without the CRs of a transfer */
	struct buffer origin; /* image, boot and reset of a dump, as in struct completion_report; empty: not known */
	const struct doctor_file *within; /* another profile that has all counts of this one; NULL: none is known */
	const char *fits; /* the path of the ELF file of this profile; NULL: none of the ELF files */
	size_t kept; /* number of functions whose counts can be saved; valid if @of is not 0 */
	size_t of; /* number of functions of the profile */
	bool trusted; /* no checksum proves these counts */
	unsigned int raw_version;
	bool lean; /* an ELF file or a raw profile whose records and names are in the ELF file only */

	/* Only for ELF files. */
	bool counters;
	unsigned int clang; /* newest clang release that compiled a part of the program; 0: not known */
	bool mapped; /* has a coverage mapping */
	unsigned int mapping_version; /* 0: none */
	bool recorded; /* @functions come from the records, and not from the mapping */
	struct doctor_function *functions; /* sorted by name and hash */
	size_t function_count;
};

struct cause {
	enum cause_id id;
	const char *path; /* the file that it is about; NULL: what the tool said */
	char *text; /* a sentence without a full stop */
	char *command; /* the command to go on with; NULL: none mends it */
};

struct doctor {
	struct doctor_file *files;
	size_t count;
	struct said said;
	unsigned int release; /* of LLVM, whose tool refused; 0: not given */
	struct programs programs; /* the ELF files */
	struct cause *causes; /* after doctor_order(): the cause that explains most comes first */
	size_t cause_count;
	size_t cause_room;
	char *next; /* the command to go on with, if there is no cause; NULL: none */
};

/*
 * doctor_cause - adds a cause. The text is one sentence without a full stop. @file may be NULL. @command is a command
 * that mends the cause, or NULL; the cause becomes its owner.
 */
void doctor_cause(struct doctor *doctor, enum cause_id id, const struct doctor_file *file, char *command,
	const char *text, ...) __attribute__((format(printf, 5, 6)));

/* doctor_open - reads the file at @path and finds out what it is. Errors: SYSTEM, INVALID_INPUT. */
enum status doctor_open(struct doctor *doctor, struct doctor_file *file, const char *path, struct error *error);

/* doctor_examine - finds the causes in all files after doctor_open(), with the functions below. */
void doctor_examine(struct doctor *doctor);

/*
 * The examinations of one file. Each adds the causes that it finds. doctor_elf() must come first for all ELF files,
 * because the others use doctor->programs.
 */
void doctor_elf(struct doctor *doctor, struct doctor_file *file);
void doctor_raw(struct doctor *doctor, struct doctor_file *file);
void doctor_dumps(struct doctor *doctor, struct doctor_file *file);
void doctor_indexed(struct doctor *doctor, struct doctor_file *file);
void doctor_other(struct doctor *doctor, struct doctor_file *file);

/* doctor_program_faults - adds the findings of `bareprof check` about an ELF file. */
void doctor_program_faults(struct doctor *doctor, struct doctor_file *file);

/*
 * doctor_read - reads the profile @bytes into @model, with the help of the ELF files. The caller calls model_free(), also
 * after an error. Errors: INVALID_INPUT.
 */
enum status doctor_read(struct doctor *doctor, struct model *model, struct bytes bytes, struct error *error);

/*
 * doctor_read_model - reads the profile @bytes of @file into file->model, and sets file->readable. Returns whether it could
 * be read; otherwise sets file->refusal.
 */
bool doctor_read_model(struct doctor *doctor, struct doctor_file *file, struct bytes bytes);

/* doctor_names_wrong - returns whether names are the only fault of the raw profile @profile of @file, and adds the cause. */
bool doctor_names_wrong(struct doctor *doctor, const struct doctor_file *file, const struct raw_profile *profile);

/* doctor_nothing_ran - adds a cause if all counts of file->model are 0. */
void doctor_nothing_ran(struct doctor *doctor, const struct doctor_file *file);

/* doctor_compare - finds out which files belong together, and adds the causes about those that do not. */
void doctor_compare(struct doctor *doctor);

/*
 * doctor_lacking - adds a cause if @profile lacks functions that have a record in @elf, the program that wrote it.
 * doctor_changed - adds a cause if @profile has them with other structural hashes, although the build ids are equal.
 */
void doctor_lacking(struct doctor *doctor, struct doctor_file *profile, const struct doctor_file *elf);
void doctor_changed(struct doctor *doctor, struct doctor_file *profile, const struct doctor_file *elf);

/* doctor_repeated - finds the profiles whose counts another profile has, too. Tells it in file->what. */
void doctor_repeated(struct doctor *doctor);

/* doctor_releases - adds the causes that come from the release of the tool. */
void doctor_releases(struct doctor *doctor);

/*
 * doctor_order - sorts the causes, removes those that are only consequences, and adds CAUSE_UNEXPLAINED if nothing explains
 * what was said. Calls doctor_next() if there is no cause.
 */
void doctor_order(struct doctor *doctor);

/* doctor_next - sets doctor->next, the command that uses all profiles. */
void doctor_next(struct doctor *doctor);

/* doctor_text, doctor_json - print the result. */
void doctor_text(const struct doctor *doctor);
void doctor_json(const struct doctor *doctor);

void doctor_free(struct doctor *doctor);

/*
 * doctor_elf_path - returns the path of the only ELF file, or of the one that fits @file. Returns NULL if there is none.
 * doctor_merge - returns the command that makes an indexed profile of @file. The caller frees it.
 * doctor_quote - returns @path in quotes if a shell needs them. The caller frees it.
 * doctor_out - returns a name for a file that is made from @path: its name without folder and the ending .profraw, and
 * @ending. The result is quoted. The caller frees it.
 */
const char *doctor_elf_path(const struct doctor *doctor, const struct doctor_file *file);
char *doctor_merge(const struct doctor *doctor, const struct doctor_file *file);
char *doctor_quote(const char *path);
char *doctor_out(const char *path, const char *ending);

extern const char *const file_kind_word[FILE_KINDS];

#endif
