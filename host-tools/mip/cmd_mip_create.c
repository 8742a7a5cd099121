/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_create.c - `bareprof mip create`: makes an empty machine profile from the map of an image. */
#include "commands.h"
#include "exit.h"
#include "mip_load.h"

#include <inttypes.h>

static const char *out_path;

static const struct option options[] = {
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "the machine profile to write ('-': standard output)"),
		.old_name = "profile", .old_letter = 'p'},
	{OPT_END},
};

static enum status create(char **operands)
{
	struct mip_profile profile;
	enum status status;

	if (!out_path) {
		complain(NULL, "name the machine profile to write, with -o OUT");
		return STATUS_USAGE;
	}
	status = mip_load(&profile, operands[0]);
	if (status == STATUS_OK && profile.merged) {
		complain(operands[0],
			"is a machine profile that already has runs: give the ELF file or a map (.mipmap)");
		status = STATUS_INVALID_INPUT;
	}
	if (status == STATUS_OK)
		status = mip_write_profile(out_path, &profile, BAREPROF_MIP_V9);
	mip_profile_free(&profile);
	return status;
}

const struct command command_mip_create = {
	.name = "mip create",
	.summary = "make an empty machine profile from the map of an image",
	.operands = "-o OUT ELF|MAP",
	.operands_min = 1,
	.operands_max = 1,
	.help = "ELF is an image that was compiled with 'bareprof mip cc' and still has its map, the\n"
		"section __llvm_mipmap. MAP is this section in a file of its own (.mipmap):\n"
		"    objcopy --dump-section __llvm_mipmap=MAP ELF /dev/null\n"
		"An ELF file is better, because a map alone has no build id. Then 'bareprof mip merge'\n"
		"can only compare sizes and addresses. -p is the same as -o.\n",
	.options = options,
	.run = create,
};
