/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_order.c - `bareprof mip order`: writes the order in which a linker places functions. */
#include "commands.h"
#include "exit.h"
#include "input.h"
#include "mip_load.h"
#include "mip_order.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum linker {
	LINKER_LLD,
	LINKER_LD,
};

static const char *profile_path;
static const char *elf_path;
static const char *out_path;
static bool callees;
static unsigned int key;
static unsigned int linker;

static const char *const keys[] = {[MIP_ORDER_START] = "start", [MIP_ORDER_CALLS] = "calls", NULL};
static const char *const linkers[] = {[LINKER_LLD] = "lld", [LINKER_LD] = "ld", NULL};

static const struct option options[] = {
	{OPT_FILE("profile", 'p', "PROFILE", &profile_path, "the machine profile; the same as the operand PROFILE")},
	{OPT_OUTPUT("output", 'o', "OUT", &out_path, "the list to write ('-': standard output)")},
	{OPT_CHOICE("by", 0, "KEY", &key, keys,
		"'start' (the order of first calls; the default) or 'calls' (the functions with most calls first)")},
	{OPT_CHOICE("for", 0, "LINKER", &linker, linkers, "'lld' (the default) or 'ld', the GNU linker")},
	{OPT_FILE("elf", 0, "ELF", &elf_path, "leave out functions that the program ELF does not have")},
	{OPT_FLAG("callees", 0, &callees,
		"also list functions of ELF that do not record: those that functions of the list call")},
	{OPT_END},
};

static void tell(const struct mip_order *order, const char *path)
{
	struct mip_order_size size = mip_order_measure(order);
	uint64_t needed = (size.bytes + MIP_ORDER_PAGE - 1) / MIP_ORDER_PAGE;
	uint32_t missing =
		(key == MIP_ORDER_START ? BAREPROF_MIP_KIND_ORDER : BAREPROF_MIP_KIND_COUNT) & ~order->profile->kinds;
	size_t recorded = 0;
	size_t i;

	if (missing)
		complain(input_name(path),
			"note: has no %s, so functions that ran are in the order of their addresses: compile with "
			"'bareprof mip cc --mode calls'",
			key == MIP_ORDER_START ? "orders of first calls" : "numbers of calls");
	if (order->absent)
		complain(elf_path, "note: lacks %zu function%s that ran according to %s", order->absent,
			order->absent == 1 ? "" : "s", input_name(path));
	if (order->unnamed)
		complain(input_name(path), "note: the names of %zu function%s that ran cannot be in a list for linkers",
			order->unnamed, order->unnamed == 1 ? "" : "s");
	for (i = 0; i < order->profile->count; i++)
		recorded += order->profile->functions[i].kinds != 0;
	if (strcmp(out_path, "-") != 0)
		printf("%zu of %zu functions are in the list; their %" PRIu64 " bytes are in %" PRIu64
		       " page%s of 4 KiB, and fit into %" PRIu64 "\n",
			order->count - order->callees, recorded, size.bytes, size.pages, size.pages == 1 ? "" : "s",
			needed);
	if (callees && strcmp(out_path, "-") != 0)
		printf("%zu function%s not record %s in the list too\n", order->callees,
			order->callees == 1 ? " that does" : "s that do", order->callees == 1 ? "is" : "are");
}

static enum status write_order(const struct mip_profile *profile, const struct image *image, const char *path)
{
	struct mip_order order;
	struct buffer out = {0};
	enum status status = STATUS_INVALID_INPUT;

	mip_order_make(&order, profile, image, (enum mip_order_key)key);
	if (!order.count) {
		complain(input_name(path), "has no function that ran%s, so it gives no order",
			order.absent ? " and that the program has" : "");
	} else {
		if (callees)
			mip_order_add_callees(&order, image);
		if (linker == LINKER_LLD)
			mip_order_lld(&order, &out);
		else
			mip_order_ld(&order, &out);
		status = mip_write(out_path, (struct bytes){out.data, out.size});
	}
	if (status == STATUS_OK)
		tell(&order, path);
	buffer_free(&out);
	mip_order_free(&order);
	return status;
}

static enum status order_for_elf(const struct mip_profile *profile, const char *path)
{
	struct image image = {0};
	struct error error;
	enum status status = image_open(&image, elf_path, &error);

	if (status != STATUS_OK) {
		error_print(elf_path, &error);
	} else if (callees && image.module) {
		complain(elf_path,
			"is not linked, so its calls have no targets yet: --callees needs the linked program");
		status = STATUS_INVALID_INPUT;
	} else {
		status = write_order(profile, &image, path);
	}
	image_close(&image);
	return status;
}

static enum status order(char **operands)
{
	const char *path = profile_path ? profile_path : operands[0];
	struct mip_profile profile;
	enum status status;

	if (!path || (profile_path && operands[0])) {
		complain(NULL, "name one machine profile: 'bareprof mip order PROFILE -o OUT'");
		return STATUS_USAGE;
	}
	if (!out_path) {
		complain(NULL, "name the list to write, with -o OUT");
		return STATUS_USAGE;
	}
	if (callees && !elf_path) {
		complain(NULL, "--callees reads the machine code of the program: name it, with --elf ELF");
		return STATUS_USAGE;
	}
	status = mip_load(&profile, path);
	if (status == STATUS_OK)
		status = mip_require_runs(&profile, path);
	if (status == STATUS_OK)
		status = elf_path ? order_for_elf(&profile, path) : write_order(&profile, NULL, path);
	mip_profile_free(&profile);
	return status;
}

const struct command command_mip_order = {
	.name = "mip order",
	.summary = "write the order in which a linker places functions",
	.operands = "[PROFILE]",
	.operands_min = 0,
	.operands_max = 1,
	.help = "PROFILE is a machine profile (.mip). order writes a list of the functions that ran. A\n"
		"linker places them in this order, so code that runs at one time is in few pages. All\n"
		"objects must be compiled with -ffunction-sections.\n\n"
		"For lld, pass the list with --symbol-ordering-file. For GNU ld, write\n"
		"    INCLUDE OUT\n"
		"into the linker script, before the other input sections of the output section .text.\n\n"
		"Functions that did not run are not in the list. Linkers place them after the others.\n"
		"Functions with equal keys are in the order of their addresses. If two functions have\n"
		"one name, the list has the name once, and linkers place both functions together.\n\n"
		"Start-up code, drivers and the runtime usually do not record, so the profile does not\n"
		"say if they ran. With --callees, the list has each of them that the entry point or a\n"
		"function of the list calls directly, after the first caller.\n",
	.options = options,
	.run = order,
};
