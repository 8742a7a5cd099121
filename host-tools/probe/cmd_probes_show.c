/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_probes_show.c - `bareprof probes show`: lists the pseudo probes of an image. */
#include "commands.h"
#include "demangle.h"
#include "exit.h"
#include "pattern.h"
#include "probes_print.h"

#include <inttypes.h>
#include <stdio.h>

static const char *pattern;
static bool disassemble;
static bool as_json;
static bool linkage;

static const struct option options[] = {
	{OPT_TEXT("function", 0, "REGEX", &pattern, "only functions whose name matches REGEX (POSIX, extended)")},
	{OPT_FLAG("disassemble", 'd', &disassemble, "print the machine code, with the probes among the instructions")},
	{OPT_FLAG("mangled", 0, &linkage, "print names as they are in the symbol table")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_END},
};

static void warn_of_losses(const char *path, const struct probes *probes)
{
	struct bytes name = probe_name(probes, probes->lost_guid);

	if (!probes->lost_probes)
		return;
	if (name.size)
		complain(path,
			"warning: %zu probes have no address, because the symbol table does not have '%.*s' or "
			"another function that contains them; link without --strip-all, and keep the ELF file "
			"that the linker wrote",
			probes->lost_probes, (int)name.size, (const char *)name.data);
	else
		complain(path,
			"warning: %zu probes have no address, because the symbol table does not have the "
			"function with the GUID 0x%016" PRIx64 "; link without --strip-all, and keep the ELF "
			"file that the linker wrote",
			probes->lost_probes, probes->lost_guid);
}

static enum status print(const struct probes *probes, const struct image *image, const char *path, const regex_t *regex)
{
	struct probe_view view;
	enum status status = STATUS_OK;
	size_t shown;

	probe_view_make(&view, probes, linkage || disassemble);
	warn_of_losses(path, probes);
	if (view.mangled)
		complain(NULL, DEMANGLE_MISSING);
	shown = disassemble ? probes_print_code(&view, image, regex)
	        : as_json   ? probes_print_json(&view, image, regex)
	                    : probes_print_text(&view, regex);
	if (!shown && regex) {
		complain(path, "has %zu functions with probes, but none matches '%.200s' (--function)",
			view.group_count, pattern);
		status = STATUS_INVALID_INPUT;
	}
	probe_view_free(&view);
	return status;
}

static enum status show_image(const struct image *image, const char *path, const regex_t *regex)
{
	struct probes probes;
	struct error error;
	enum status status = probes_read(&probes, image, &error);

	if (status == STATUS_OK && !probes.node_count)
		status = error_set(&error, STATUS_INVALID_INPUT,
			"has no pseudo probes; compile with clang -g1 -fpseudo-probe-for-profiling, and do not strip "
			"the file");
	if (status != STATUS_OK)
		error_print(path, &error);
	else
		status = print(&probes, image, path, regex);
	probes_free(&probes);
	return status;
}

static enum status show(char **operands)
{
	struct image image;
	struct error error;
	regex_t regex;
	enum status status;

	if (as_json && disassemble) {
		complain(NULL, "--json and --disassemble cannot be combined; leave out one of them");
		return STATUS_USAGE;
	}
	if (pattern && !function_pattern(&regex, pattern))
		return STATUS_USAGE;
	status = image_open(&image, operands[0], &error);
	if (status != STATUS_OK)
		error_print(operands[0], &error);
	else
		status = show_image(&image, operands[0], pattern ? &regex : NULL);
	image_close(&image);
	if (pattern)
		regfree(&regex);
	return status;
}

const struct command command_probes_show = {
	.name = "probes show",
	.summary = "list pseudo probes: which block or call is at which address",
	.operands = "ELF",
	.operands_min = 1,
	.operands_max = 1,
	.help = "ELF is an image, an object file or a module, compiled by clang with -g1 (or more) and\n"
		"-fpseudo-probe-for-profiling. The file must have its symbol table.\n\n"
		"For each function, show prints its probes by address: a block, a call, or an indirect\n"
		"call, with its index. If the code was inlined, the line has the function from which\n"
		"it came, and the chain of calls: '@ main:5 @ two:3' means call 5 of main, and in the\n"
		"function that is called there, call 3 of two. Functions that were inlined everywhere\n"
		"have no line of their own.\n\n"
		"The hash belongs to the control flow graph of the function. A profile only fits a\n"
		"function with the same hash. Names are demangled. With --disassemble, lines of probes\n"
		"have the form that llvm-profgen gives them, and names are those of the symbol table.\n"
		"docs/JSON.md describes the JSON.\n",
	.options = options,
	.run = show,
};
