// SPDX-License-Identifier: BSD-2-Clause
// caller.c - the program `warm`, which asks a keeper to run a tool. warm.h describes keepers. If there is no keeper,
// the program runs the tool itself. The program is called in two ways: by a link in PATH with the name of the tool, or
// as `warm TOOL ...`.
#define _GNU_SOURCE
#include "warm.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum {
	TRIES = 400,
	TRY_MICROSECONDS = 5000
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

// Starts the keeper. The keeper inherits nothing from this process: no streams, no folder and no variables.
static void start_keeper(const char *folder, const char *tool, const char *name)
{
	pid_t first = fork();
	if (first != 0) {
		waitpid(first, NULL, 0);
		return;
	}
	if (fork() != 0)
		_exit(0);
	setsid();
	char *variables[4] = {"LD_BIND_NOW=1"};
	int null = open("/dev/null", O_RDWR);
	if (asprintf(&variables[1], "LD_PRELOAD=%s/keeper.so", folder) < 0 ||
		asprintf(&variables[2], WARM_SOCKET "=%s", name) < 0 || null < 0 || chdir("/") != 0)
		_exit(1);
	for (int i = 0; i < WARM_STREAMS; i++)
		dup2(null, i);
	close_range(WARM_STREAMS, ~0U, 0);
	execve(tool, (char *[]){(char *)tool, NULL}, variables);
	_exit(1);
}

static int connect_to_keeper(const char *folder, const char *tool, const char *name)
{
	struct sockaddr_un address;
	socklen_t size = warm_address(&address, name);
	int keeper = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	for (int i = 0; keeper >= 0 && i < TRIES; i++) {
		if (connect(keeper, (struct sockaddr *)&address, size) == 0 && warm_same_user(keeper))
			return keeper;
		// If two callers come at the same time, they start two keepers. One of the keepers finds that the
		// address is in use, and ends.
		if (i == 0)
			start_keeper(folder, tool, name);
		usleep(TRY_MICROSECONDS);
	}
	close(keeper);
	return -1;
}

static char *append(char *at, char **words, uint32_t *count)
{
	for (; *words != NULL; words++, ++*count)
		at = stpcpy(at, *words) + 1;
	return at;
}

static size_t bytes_of(char **words)
{
	size_t bytes = 0;
	for (; *words != NULL; words++)
		bytes += strlen(*words) + 1;
	return bytes;
}

static bool request(int keeper, char **arguments)
{
	size_t bytes = bytes_of(arguments) + bytes_of(environ);
	char *text = malloc(bytes);
	if (text == NULL || bytes > UINT32_MAX)
		return false;
	struct warm_request request = {.bytes = (uint32_t)bytes, .umask = umask(0)};
	umask((mode_t)request.umask);
	append(append(text, arguments, &request.arguments), environ, &request.variables);

	int descriptors[WARM_DESCRIPTORS] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {0};
	struct iovec part = {&request, sizeof request};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	struct cmsghdr *sent = CMSG_FIRSTHDR(&message);
	sent->cmsg_level = SOL_SOCKET;
	sent->cmsg_type = SCM_RIGHTS;
	sent->cmsg_len = CMSG_LEN(sizeof descriptors);
	memcpy(CMSG_DATA(sent), descriptors, sizeof descriptors);
	if (sendmsg(keeper, &message, MSG_NOSIGNAL) != sizeof request)
		return false;
	for (size_t put = 0; put < bytes;) {
		ssize_t n = send(keeper, text + put, bytes - put, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		put += (size_t)n;
	}
	return true;
}

// Ends this process in the same way as the keeper's child ended.
static int end_as(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

// Returns the path where a tool is installed. The tool has the same name as the link to it in PATH.
static const char *installed(const char *name)
{
	char *path;
	if (name[0] == '/' && strstr(name, "/warm/tools/") == NULL)
		return name;
	return asprintf(&path, "/usr/bin/%s", base_name(name)) < 0 ? NULL : path;
}

int main(int argc, char **argv)
{
	if (strcmp(base_name(argv[0]), "warm") == 0) {
		if (argc < 2) {
			fprintf(stderr, "usage: warm TOOL [ARGUMENT...]\n");
			return 2;
		}
		argv++;
	}
	const char *tool = installed(argv[0]);
	// Several names of a tool can be links to one file. The path of this file selects the keeper, so these names
	// share one keeper.
	char *file = tool == NULL ? NULL : realpath(tool, NULL), *socket;
	const char *run = getenv(WARM_RUN), *folder = getenv(WARM_FOLDER);
	if (file != NULL && fnmatch("/usr/lib/llvm-*/bin/*", file, 0) == 0 && run != NULL && folder != NULL &&
		asprintf(&socket, "%s%s", run, file) > 0 && strlen(socket) < WARM_NAME) {
		int keeper = connect_to_keeper(folder, file, socket);
		int status;
		if (keeper >= 0 && request(keeper, argv) &&
			recv(keeper, &status, sizeof status, MSG_WAITALL) == sizeof status)
			return end_as(status);
	}
	if (tool != NULL)
		execv(tool, argv);
	perror(tool);
	return 127;
}
