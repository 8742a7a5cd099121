/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llvm.c - finds LLVM's tools. It first tries names with a release, such as llvm-cov-19, and the folders of Debian
 * packages, such as /usr/lib/llvm-19. It uses an llvm-cov whose name has no release only if it prints the right release.
 */
#include "llvm.h"
#include "child.h"
#include "raw_release.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * For some raw versions, the newest release that uses the version is not known. Then the search tries the oldest
 * release that uses it, and the LOOK_AHEAD releases after that one.
 */
#define LOOK_AHEAD 20u

/* The releases for programs whose raw version is not known. */
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

/* Finds the llvm-cov whose name has no release. */
static void find_plain(struct llvm *plain)
{
	plain->cov = in_path("llvm-cov");
	plain->major = plain->cov ? release_of(plain->cov) : 0;
}

static bool find_release(struct llvm *llvm, const struct llvm *plain, unsigned int major)
{
	llvm->major = major;
	llvm->cov = find_tool("llvm-cov", major);
	if (!llvm->cov && plain->major == major)
		llvm->cov = format("%s", plain->cov);
	return llvm->cov;
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

/* Returns whether programs with the raw version of @release are those that clang of release @major makes. */
static bool fits(const struct raw_release *release, unsigned int major)
{
	return major >= release->oldest && major <= newest_of(release);
}

/*
 * Finds an installed llvm-cov that fits the program. If @forced is not 0, only release @forced is tried. Otherwise
 * @preferred is tried first, then all releases from the newest to the oldest.
 */
static bool find_any(struct llvm *llvm, const struct llvm *plain, const struct raw_release *release,
	unsigned int preferred, unsigned int forced)
{
	unsigned int major;

	if (forced)
		return find_release(llvm, plain, forced);
	if (fits(release, preferred) && find_release(llvm, plain, preferred))
		return true;
	for (major = newest_of(release); major >= release->oldest; major--)
		if (find_release(llvm, plain, major))
			return true;
	return false;
}

/* Makes the error for a release that is older than the program. */
static enum status too_old(unsigned int version, unsigned int forced, struct error *error)
{
	struct buffer text = {0};

	raw_release_text(version, &text);
	error_set(error, STATUS_USAGE, "was compiled by %s: llvm-cov of LLVM %u is too old for it; leave out --llvm",
		buffer_string(&text), forced);
	buffer_free(&text);
	return STATUS_USAGE;
}

/*
 * Makes the error that names the package to install. It is that of release @asked, if this release fits the program.
 * Otherwise it is that of the newest release that is known to fit, or of the oldest one if no newest release is known.
 */
static enum status not_installed(
	const struct raw_release *release, unsigned int asked, bool forced, struct error *error)
{
	if (!forced && !fits(release, asked))
		asked = release->newest ? release->newest : release->oldest;
	return error_set(error, STATUS_SYSTEM,
		"llvm-cov of LLVM %u is not installed, but --html, --with-llvm and --compare need it: install the "
		"Debian package llvm-%u",
		asked, asked);
}

enum status llvm_find(
	struct llvm *llvm, unsigned int version, unsigned int preferred, unsigned int forced, struct error *error)
{
	const struct raw_release *release = version ? raw_release(version) : &any_release;
	struct llvm plain;
	bool found;

	*llvm = (struct llvm){0};
	if (version && forced && forced < release->oldest)
		return too_old(version, forced, error);
	find_plain(&plain);
	found = find_any(llvm, &plain, release, preferred, forced);
	llvm_free(&plain);
	return found ? STATUS_OK : not_installed(release, forced ? forced : preferred, forced, error);
}

void llvm_free(struct llvm *llvm)
{
	free(llvm->cov);
	llvm->cov = NULL;
}
