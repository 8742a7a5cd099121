/* SPDX-License-Identifier: BSD-2-Clause */
/* probes_check.c - finds what is wrong with pseudo probes. */
#include "probes_check.h"

#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* A sentence names at most this many functions. */
#define NAMES_MAX 5u

/* With debug information, at most one of this many inlined copies has lost the call through which it was inlined. */
#define INLINED_MIN 10u

/* The functions that a sentence is about. */
struct culprits {
	struct buffer names;
	size_t count;
};

static void add_culprit(struct culprits *culprits, struct bytes name)
{
	if (culprits->count++ < NAMES_MAX) {
		if (culprits->names.size)
			buffer_add_text(&culprits->names, ", ");
		buffer_add(&culprits->names, name.data, name.size);
	}
}

static void add_guid(struct culprits *culprits, const struct probes *probes, uint64_t guid)
{
	struct bytes name = probe_name(probes, guid);
	char text[20];

	if (!name.size) {
		snprintf(text, sizeof(text), "0x%016" PRIx64, guid);
		name = (struct bytes){(const uint8_t *)text, strlen(text)};
	}
	add_culprit(culprits, name);
}

/* Returns the names as text, and frees @culprits. The caller frees the text. */
static char *names_of(struct culprits *culprits)
{
	size_t more = culprits->count > NAMES_MAX ? culprits->count - NAMES_MAX : 0;
	char *text = more ? format("%s and %zu more", buffer_string(&culprits->names), more)
	                  : format("%s", buffer_string(&culprits->names));

	printable(text);
	buffer_free(&culprits->names);
	return text;
}

static void print_finding(struct probes_check *check, bool error, const char *pattern, ...)
	__attribute__((format(printf, 3, 4)));

static void print_finding(struct probes_check *check, bool error, const char *pattern, ...)
{
	va_list arguments;

	check->errors += error;
	check->warnings += !error;
	printf("%s: ", error ? "error" : "warning");
	va_start(arguments, pattern);
	vprintf(pattern, arguments);
	va_end(arguments);
	putchar('\n');
}

static bool check_presence(struct probes_check *check)
{
	const struct probes *probes = check->probes;
	bool arm = check->image->machine == EM_ARM;

	if (probes->node_count)
		return true;
	if (probes->functions.count)
		print_finding(check, true,
			"the image has descriptors of %zu functions, but no probes: the link dropped the section "
			"'" PROBE_SECTION
			"'; remove it from /DISCARD/ in the linker script, and do not strip the image",
			probes->functions.count);
	else
		print_finding(check, true,
			"the image has no pseudo probes; compile with clang -g1 -fpseudo-probe-for-profiling%s, and do "
			"not strip the image",
			arm ? " -mllvm -pre-RA-sched=source (without the last option, clang may crash on Arm)" : "");
	return false;
}

static int compare_starts(const void *left, const void *right)
{
	return compare_uint(((const struct probe_extent *)left)->start, ((const struct probe_extent *)right)->start);
}

/* Returns the functions by address. The caller frees them. */
static struct probe_extent *sorted_extents(const struct probe_functions *functions)
{
	struct probe_extent *sorted = allocate(functions->extent_count + 1, sizeof(*sorted));

	if (functions->extent_count) {
		memcpy(sorted, functions->extents, functions->extent_count * sizeof(*sorted));
		qsort(sorted, functions->extent_count, sizeof(*sorted), compare_starts);
	}
	return sorted;
}

/*
 * Returns whether the code at @address belongs to the function with the GUID @guid. Parts that LLVM split off, such as
 * NAME.cold, belong to it. A probe may be at the end of its function.
 */
static bool is_at_home(const struct probes *probes, const struct probe_extent *sorted, uint64_t guid, uint64_t address)
{
	struct bytes name = probe_name(probes, guid);
	struct probe_extent key = {.start = address + 1};
	size_t i = lower_bound(&key, sorted, probes->functions.extent_count, sizeof(key), compare_starts);

	for (; i-- && sorted[i].start != key.start && sorted[i].end + 1 >= address;) {
		if (sorted[i].guid == guid ||
			(name.size && !strncmp(sorted[i].name, (const char *)name.data, name.size)))
			return true;
		if (sorted[i].end > address)
			return false;
	}
	return false;
}

/*
 * Without debug information, clang does not know the calls through which code was inlined. It then writes a record of
 * its own for the probes of a function that was inlined, so code of one function has records of several. A few such
 * records are usual, because clang moves code and forgets its line.
 */
static void check_chains(struct probes_check *check)
{
	const struct probes *probes = check->probes;
	struct probe_extent *sorted = sorted_extents(&probes->functions);
	bool *seen = allocate(probes->node_count, sizeof(*seen));
	struct culprits culprits = {{0}, 0};
	char *names;
	size_t i;

	for (i = 0; i < probes->count; i++) {
		const struct probe *probe = &probes->probes[i];
		const struct probe_node *node = &probes->nodes[probe->node];

		if (node->parent != PROBE_NO_PARENT || seen[probe->node])
			continue;
		seen[probe->node] = true;
		if (!is_at_home(probes, sorted, node->guid, probe->address))
			add_guid(&culprits, probes, node->guid);
	}
	names = names_of(&culprits);
	if (culprits.count > (probes->node_count - probes->records) / INLINED_MIN)
		print_finding(check, false,
			"%zu times, probes of a function are in the code of another function, but not as an inlined "
			"copy: %s; compile with -g1 or more, because clang needs debug information to write the calls "
			"through which code was inlined",
			culprits.count, names);
	free(names);
	free(seen);
	free(sorted);
}

static void check_mixture(struct probes_check *check)
{
	const struct probes *probes = check->probes;
	struct culprits culprits = {{0}, 0};
	char *names;
	size_t i;

	if (probes->addresses && probes->distances)
		print_finding(check, false,
			"some files were compiled by clang up to 15 and some by clang 16 or later, so no profile fits "
			"all functions; compile all files with one release");
	for (i = 1; i < probes->functions.count; i++)
		if (probes->functions.descriptors[i].guid == probes->functions.descriptors[i - 1].guid)
			add_guid(&culprits, probes, probes->functions.descriptors[i].guid);
	names = names_of(&culprits);
	if (culprits.count)
		print_finding(check, false,
			"%zu functions have several hashes, because files were compiled by different releases of "
			"clang, "
			"or with different macros: %s; a profile fits only one of the variants",
			culprits.count, names);
	free(names);
}

static void check_losses(struct probes_check *check)
{
	const struct probes *probes = check->probes;
	struct culprits culprits = {{0}, 0};
	char *names;
	size_t i;

	if (probes->lost_probes) {
		add_guid(&culprits, probes, probes->lost_guid);
		names = names_of(&culprits);
		print_finding(check, true,
			"%zu probes in %zu records have no address, because the symbol table lacks their functions, "
			"the "
			"first of which is %s; keep the ELF file as the linker wrote it, and do not strip it",
			probes->lost_probes, probes->lost_records, names);
		free(names);
	}
	culprits = (struct culprits){{0}, 0};
	for (i = 0; i < probes->node_count; i++)
		if (!probe_name(probes, probes->nodes[i].guid).size)
			culprits.count++;
	if (culprits.count)
		print_finding(check, false,
			"%zu records have a GUID without a name, because the link dropped a part of the section "
			"'" PROBE_DESC_SECTION
			"'; a profile then has no hash for these functions, and clang ignores their "
			"counts",
			culprits.count);
	culprits = (struct culprits){{0}, 0};
	for (i = 0; i < probes->count; i++)
		if (!image_where(check->image, probes->probes[i].address, 1) &&
			!image_where(check->image, probes->probes[i].address - 1, 1))
			add_guid(&culprits, probes, probes->nodes[probes->probes[i].node].guid);
	names = names_of(&culprits);
	if (culprits.count)
		print_finding(check, true,
			"%zu probes are outside of the image's code, for example of %s; link the image again",
			culprits.count, names);
	free(names);
}

/* A function with a descriptor was compiled with probes. If it has code, it must have probes too. */
static void check_functions(struct probes_check *check)
{
	const struct probes *probes = check->probes;
	struct culprits culprits = {{0}, 0};
	char *names;
	size_t i;

	for (i = 0; i < probes->functions.extent_count; i++) {
		const struct probe_extent *extent = &probes->functions.extents[i];
		size_t first = probes_at(probes, extent->start);

		if (extent->suffixed || extent->start == extent->end ||
			!probe_descriptor(&probes->functions, extent->guid))
			continue;
		if (first == probes->count || probes->probes[first].address > extent->end)
			add_guid(&culprits, probes, extent->guid);
	}
	names = names_of(&culprits);
	if (culprits.count)
		print_finding(check, false,
			"%zu functions have code and a descriptor, but no probes: %s; the link lost their part of the "
			"section "
			"'" PROBE_SECTION "'",
			culprits.count, names);
	free(names);
}

void probes_check_image(struct probes_check *check)
{
	if (!check_presence(check))
		return;
	check_chains(check);
	check_mixture(check);
	check_losses(check);
	check_functions(check);
}

/* Returns whether the image has @function with its hash. */
static bool fits(const struct probes *probes, const struct sampleprof_function *function)
{
	const struct probe_functions *functions = &probes->functions;
	const struct probe_descriptor *descriptor = probe_descriptor(functions, function->name->guid);

	for (; descriptor && descriptor < functions->descriptors + functions->count &&
		descriptor->guid == function->name->guid;
		descriptor++)
		if (descriptor->hash == function->hash)
			return true;
	return false;
}

void probes_check_profile(struct probes_check *check, const struct sampleprof *profile, const char *name)
{
	struct culprits changed = {{0}, 0};
	struct culprits missing = {{0}, 0};
	char *names;
	size_t i;

	for (i = 0; i < profile->function_count; i++) {
		const struct sampleprof_function *function = profile->functions[i];

		if (!probe_descriptor(&check->probes->functions, function->name->guid))
			add_culprit(&missing, function->name->text);
		else if (!fits(check->probes, function))
			add_culprit(&changed, function->name->text);
	}
	names = names_of(&changed);
	if (changed.count)
		print_finding(check, false,
			"%zu of %zu functions of %s have another hash in the image: %s; their control flow has "
			"changed, or "
			"another compiler compiled them, so clang ignores their counts; take samples again",
			changed.count, profile->function_count, name, names);
	free(names);
	names = names_of(&missing);
	if (missing.count)
		print_finding(check, false, "%zu of %zu functions of %s are not in the image: %s", missing.count,
			profile->function_count, name, names);
	free(names);
}
