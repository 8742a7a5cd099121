/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_load.h - opens the inputs of the commands of machine profiles. All functions print their errors.
 */
#ifndef BAREPROF_HOST_MIP_LOAD_H
#define BAREPROF_HOST_MIP_LOAD_H

#include "mip_merge.h"
#include "options.h"

/*
 * mip_load - reads the file at @path into @profile, which must be empty. The file is an ELF file with a map, a .mipmap
 * or a .mip. From the first two, @profile becomes a profile without runs. The caller frees @profile with
 * mip_profile_free(), also after an error. Errors: SYSTEM, INVALID_INPUT.
 */
enum status mip_load(struct mip_profile *profile, const char *path);

/* mip_require_runs - checks that raw profiles were added to @profile, which came from @path. Errors: INVALID_INPUT. */
enum status mip_require_runs(const struct mip_profile *profile, const char *path);

/*
 * A function that is called for each raw profile of an input. @name is the name of the input in messages. It prints its
 * errors.
 */
typedef enum status (*mip_raw_function)(void *context, const struct mip_raw *raw, const char *name);

/*
 * mip_load_raws - reads the file at @path and calls @function for each raw profile in it. The file is a .mipraw, or a
 * capture or log with dumps of machine profiles. A dump is left out if a later dump of the same boot has all of its
 * counts. If @profile has a build id, and at least one dump has this build id, dumps with other build ids are left out
 * with a note. If the file is a .mip, sets *@is_profile to true and does nothing else. @is_profile is NULL if a .mip is
 * not accepted. Errors: SYSTEM, INVALID_INPUT, and those of @function.
 */
enum status mip_load_raws(const char *path, const struct mip_profile *profile, mip_raw_function function, void *context,
	bool *is_profile);

/* mip_write - writes @content to the file at @path. Errors: SYSTEM. */
enum status mip_write(const char *path, struct bytes content);

/* mip_write_profile - writes @profile to the file at @path, as a .mip of @version. Errors: SYSTEM, INVALID_INPUT. */
enum status mip_write_profile(const char *path, const struct mip_profile *profile, unsigned int version);

/* mip_tell_notes - prints @note as a note about @subject, unless it is empty, and frees it. */
void mip_tell_notes(const char *subject, struct buffer *note);

#endif
