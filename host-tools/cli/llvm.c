/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llvm.c - finds llvm-profdata and llvm-cov. It first tries names with a release, such as llvm-cov-19, and the folders
 * of Debian packages, such as /usr/lib/llvm-19. It uses a tool whose name has no release only if the tool prints the
 * right release.
 */
#include "llvm.h"
#include "child.h"
#include "raw_release.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * For some raw versions, the newest release that reads the version is not known. Then the search tries the oldest
 * release that reads it, and the LOOK_AHEAD releases after that one.
 */
#define LOOK_AHEAD 20u

/* The releases that read indexed profiles. Each release also reads the indexed profiles of older releases. */
static const struct raw_release any_release = {.oldest = 13};

/* Returns the path of the program @name, which is searched for in PATH, or NULL. The caller frees the path. */
static char *in_path(const char *name)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t n = strcspn(path, ":");
		char *file = format("%.*s/%s", (int)n, path, name);
		struct stat about;

		if (n && !access(file, X_OK) && !stat(file, &about) && S_ISREG(about.st_mode))
			return file;
		free(file);
		path += n + (path[n] == ':');
	}
	return NULL;
}

/* Returns the release that @tool prints with --version, or 0. */
static unsigned int release_of(char *tool)
{
	static const char words[] = "LLVM version ";
	char option[] = "--version";
	char *command[] = {tool, option, NULL};
	struct buffer output = {0};
	struct error error;
	const char *at;
	unsigned int major = 0;
	int status;

	if (child_run(command, &output, &status, &error) == STATUS_OK && !status) {
		at = strstr(buffer_string(&output), words);
		if (at)
			major = (unsigned int)strtoul(at + sizeof(words) - 1, NULL, 10);
	}
	buffer_free(&output);
	return major;
}

/* Looks for the tool @name of release @major in PATH and in the folder of its package. Returns its path, or NULL. */
static char *find_tool(const char *name, unsigned int major)
{
	char *versioned = format("%s-%u", name, major);
	char *tool = in_path(versioned);

	free(versioned);
	if (tool)
		return tool;
	tool = format("/usr/lib/llvm-%u/bin/%s", major, name);
	if (!access(tool, X_OK))
		return tool;
	free(tool);
	return NULL;
}

/*
 * Finds the tools whose names have no release. Older releases of llvm-profdata do not print their release, but llvm-cov
 * does. So the function uses the llvm-profdata in the folder of llvm-cov. Both tools in this folder have the same
 * release.
 */
static void find_plain(struct llvm *plain)
{
	char *link = in_path("llvm-cov");

	*plain = (struct llvm){0};
	plain->cov = link ? realpath(link, NULL) : NULL;
	if (plain->cov)
		plain->profdata =
			format("%.*s/llvm-profdata", (int)(strrchr(plain->cov, '/') - plain->cov), plain->cov);
	if (plain->cov && !access(plain->profdata, X_OK))
		plain->major = release_of(plain->cov);
	free(link);
}

static bool find_release(struct llvm *llvm, const struct llvm *plain, unsigned int major)
{
	llvm->major = major;
	llvm->profdata = find_tool("llvm-profdata", major);
	llvm->cov = find_tool("llvm-cov", major);
	if (llvm->profdata && llvm->cov)
		return true;
	llvm_free(llvm);
	if (plain->major != major)
		return false;
	llvm->profdata = format("%s", plain->profdata);
	llvm->cov = format("%s", plain->cov);
	return true;
}

char *llvm_tool(const char *name)
{
	char *tool = in_path(name);
	unsigned int major;

	for (major = any_release.oldest + LOOK_AHEAD; !tool && major >= any_release.oldest; major--)
		tool = find_tool(name, major);
	return tool;
}

static unsigned int newest_of(const struct raw_release *release)
{
	return release->newest ? release->newest : release->oldest + LOOK_AHEAD;
}

static bool can_read(const struct raw_release *release, unsigned int major)
{
	return major >= release->oldest && major <= newest_of(release);
}

/*
 * Finds an installed release whose tools can read the profile. If @forced is not 0, only release @forced is tried.
 * Otherwise @preferred is tried first, then all releases from the newest to the oldest.
 */
static bool find_any(struct llvm *llvm, const struct llvm *plain, const struct raw_release *release,
	unsigned int preferred, unsigned int forced)
{
	unsigned int major;

	if (forced)
		return can_read(release, forced) && find_release(llvm, plain, forced);
	if (can_read(release, preferred) && find_release(llvm, plain, preferred))
		return true;
	for (major = newest_of(release); major >= release->oldest; major--)
		if (find_release(llvm, plain, major))
			return true;
	return false;
}

static enum status cannot_read(unsigned int version, unsigned int forced, struct error *error)
{
	struct buffer text = {0};

	raw_release_text(version, &text);
	error_set(error, STATUS_USAGE, "LLVM %u does not read raw version %u: use %s", forced, version,
		buffer_string(&text));
	buffer_free(&text);
	return STATUS_USAGE;
}

/*
 * Makes the error that names the package to install. If release @asked reads raw version @version, the error names the
 * package of @asked. Otherwise the error names the package of the newest release that is known to read @version. If no
 * newest release is known, the error names the package of the oldest release that reads @version.
 */
static enum status not_installed(unsigned int version, unsigned int asked, bool forced, struct error *error)
{
	const struct raw_release *release = raw_release(version);
	struct buffer text = {0};

	raw_release_text(version, &text);
	if (!can_read(release, asked))
		asked = release->newest ? release->newest : release->oldest;
	error_set(error, STATUS_SYSTEM,
		"llvm-profdata and llvm-cov of %s, which read raw version %u, are not installed: install the "
		"Debian package llvm-%u",
		forced ? "that release" : buffer_string(&text), version, asked);
	buffer_free(&text);
	return STATUS_SYSTEM;
}

enum status llvm_find(
	struct llvm *llvm, unsigned int version, unsigned int preferred, unsigned int forced, struct error *error)
{
	const struct raw_release *release = version ? raw_release(version) : &any_release;
	struct llvm plain;
	bool found;

	*llvm = (struct llvm){0};
	if (version && forced && !can_read(release, forced))
		return cannot_read(version, forced, error);
	find_plain(&plain);
	found = find_any(llvm, &plain, release, preferred, forced);
	llvm_free(&plain);
	if (found)
		return STATUS_OK;
	if (version)
		return not_installed(version, forced ? forced : preferred, forced, error);
	return error_set(error, STATUS_SYSTEM,
		"llvm-profdata and llvm-cov are not installed: install the Debian package llvm%s%.0u",
		forced ? "-" : "", forced);
}

void llvm_free(struct llvm *llvm)
{
	free(llvm->profdata);
	free(llvm->cov);
	llvm->profdata = llvm->cov = NULL;
}
