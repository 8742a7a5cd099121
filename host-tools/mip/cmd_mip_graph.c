/* SPDX-License-Identifier: BSD-2-Clause */
/* cmd_mip_graph.c - `bareprof mip graph`: shows who called whom, from samples of return addresses. */
#include "commands.h"
#include "exit.h"
#include "input.h"
#include "mip_graph.h"
#include "mip_load.h"
#include "pattern.h"

#include <stdlib.h>

static const char *profile_path;
static const char *elf_path;
static const char *pattern;
static uint64_t top;
static bool by_site;
static bool as_json;
static bool as_dot;

static const struct option options[] = {
	{OPT_FILE("profile", 'p', "PROFILE", &profile_path, "the machine profile; the same as the operand PROFILE")},
	{OPT_FILE("elf", 0, "ELF", &elf_path,
		"find callers that are not in the map among the symbols of the program ELF")},
	{OPT_TEXT("function", 0, "REGEX", &pattern,
		"only edges whose caller or callee has a name that matches REGEX (POSIX, extended)")},
	{OPT_NUMBER("top", 0, "N", &top, 1, UINT64_MAX, "only the N edges with the most calls"),
		.invalid = "--top takes a number of 1 or more, not '%s'"},
	{OPT_FLAG("sites", 0, &by_site, "print an edge for each call site, with the address after the call")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_FLAG("dot", 0, &as_dot, "print a graph for Graphviz instead of text")},
	{OPT_END},
};

static bool matches(const regex_t *regex, const struct mip_node *node)
{
	return node->name && (!regexec(regex, node->name, 0, NULL, 0) || !regexec(regex, node->shown, 0, NULL, 0));
}

static void select_arcs(struct mip_graph *graph, const regex_t *regex)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < graph->arc_count; i++) {
		const struct mip_arc *arc = &graph->arcs[i];

		if (!regex || matches(regex, &graph->nodes[arc->caller]) || matches(regex, &graph->nodes[arc->callee]))
			graph->arcs[count++] = *arc;
	}
	graph->arc_count = top && top < count ? (size_t)top : count;
}

static void print_graph(const struct mip_graph *graph)
{
	if (as_json)
		mip_graph_json(graph);
	else if (as_dot)
		mip_graph_dot(graph);
	else
		mip_graph_text(graph);
}

static enum status show_graph(
	const struct mip_profile *profile, const struct image *image, const char *path, const regex_t *regex)
{
	struct mip_sources sources;
	struct mip_graph graph;
	enum status status = mip_sources_read(&sources, profile, NULL);

	if (status == STATUS_OK) {
		mip_graph_make(&graph, profile, &sources, image, by_site || as_json);
		select_arcs(&graph, regex);
		if (regex && !graph.arc_count) {
			complain(input_name(path),
				"has samples, but none with a function that matches '%.200s' (--function)", pattern);
			status = STATUS_INVALID_INPUT;
		} else {
			print_graph(&graph);
		}
		mip_graph_free(&graph);
	}
	mip_sources_free(&sources);
	return status;
}

static enum status check_samples(const struct mip_profile *profile, const char *path)
{
	if (profile->edge_count)
		return STATUS_OK;
	if (!(profile->kinds & BAREPROF_MIP_KIND_RETURNS))
		complain(input_name(path),
			"has no samples of return addresses: compile with 'bareprof mip cc --mode calls,sample=N'");
	else if (mip_require_runs(profile, path) == STATUS_OK)
		complain(input_name(path),
			"has no samples: define a ring with BAREPROF_MIP_RING() in the image, and compile its runtime "
			"with -DBAREPROF_MIP_SAMPLES_MODE");
	return STATUS_INVALID_INPUT;
}

static enum status graph_with_elf(const struct mip_profile *profile, const char *path, const regex_t *regex)
{
	struct image image = {0};
	struct error error;
	enum status status = image_open(&image, elf_path, &error);

	if (status == STATUS_OK)
		status = mip_sources_check(profile, &image, &error);
	if (status == STATUS_OK)
		status = show_graph(profile, &image, path, regex);
	else
		error_print(elf_path, &error);
	image_close(&image);
	return status;
}

static enum status graph(char **operands)
{
	const char *path = profile_path ? profile_path : operands[0];
	struct mip_profile profile;
	regex_t regex;
	enum status status;

	if (!path || (profile_path && operands[0])) {
		complain(NULL, "name one machine profile: 'bareprof mip graph PROFILE'");
		return STATUS_USAGE;
	}
	if (as_json && as_dot) {
		complain(NULL, "--json and --dot cannot be combined: leave out one of them");
		return STATUS_USAGE;
	}
	if (pattern && !function_pattern(&regex, pattern))
		return STATUS_USAGE;
	status = mip_load(&profile, path);
	if (status == STATUS_OK)
		status = check_samples(&profile, path);
	if (status == STATUS_OK)
		status = elf_path ? graph_with_elf(&profile, path, pattern ? &regex : NULL)
		                  : show_graph(&profile, NULL, path, pattern ? &regex : NULL);
	mip_profile_free(&profile);
	if (pattern)
		regfree(&regex);
	return status;
}

const struct command command_mip_graph = {
	.name = "mip graph",
	.summary = "show who called whom, from samples of return addresses",
	.operands = "[PROFILE]",
	.operands_min = 0,
	.operands_max = 1,
	.help = "PROFILE is a machine profile (.mip) of an image that was compiled with 'bareprof mip cc\n"
		"--mode calls,sample=N'. graph prints the edges of the call graph, with most calls first.\n"
		"Calls through pointers are edges like all others. An edge has\n"
		"    CALLS    the estimated number of calls: the calls of the callee, which are counted,\n"
		"             times the share of the edge in the callee's samples\n"
		"    +-       the standard deviation of the estimate; 0 if every call is a sample\n"
		"    SAMPLES  the number of samples\n\n"
		"The caller is the function to which the callee returns. After a tail call, this is the\n"
		"caller of the function that made the tail call. The caller '(not known)' is code that is\n"
		"neither in the map nor, with --elf, in a function of the program, or an interrupt.\n"
		"docs/JSON.md describes the JSON, which has an edge for each call site.\n",
	.options = options,
	.run = graph,
};
