// SPDX-License-Identifier: BSD-2-Clause
// keeper.c - is loaded into a tool by LD_PRELOAD. It stops the tool before main() and serves callers; see warm.h. It
// ends when no caller has come for half a minute.
#define _GNU_SOURCE
#include "warm.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum {
	MAXIMUM = 64,
	IDLE_SECONDS = 30,
	REFUSED = 126,
	HUGE_PAGE = 2 << 20
};

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
	char *const *, char *const *);

static main_function *main_of_tool;

static struct {
	pid_t child;
	int caller;
} calls[MAXIMUM];
static int calls_open;

// Runs in the child. It takes over the caller's arguments, environment, folder and streams, and then runs the tool.
static int be_the_tool(int caller)
{
	struct warm_request request;
	int descriptors[WARM_DESCRIPTORS];
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof descriptors)];
	struct iovec part = {&request, sizeof request};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	if (recvmsg(caller, &message, MSG_WAITALL) != sizeof request)
		_exit(REFUSED);
	struct cmsghdr *sent = CMSG_FIRSTHDR(&message);
	if (sent == NULL || sent->cmsg_len != CMSG_LEN(sizeof descriptors))
		_exit(REFUSED);
	memcpy(descriptors, CMSG_DATA(sent), sizeof descriptors);

	char *text = malloc((size_t)request.bytes + 1);
	char **words = malloc(((size_t)request.arguments + request.variables + 2) * sizeof *words);
	if (text == NULL || words == NULL || recv(caller, text, request.bytes, MSG_WAITALL) != (ssize_t)request.bytes)
		_exit(REFUSED);
	close(caller);
	char **word = words;
	for (uint32_t i = 0; i < request.arguments; i++, text += strlen(text) + 1)
		*word++ = text;
	*word++ = NULL;
	environ = word;
	for (uint32_t i = 0; i < request.variables; i++, text += strlen(text) + 1)
		*word++ = text;
	*word = NULL;

	if (fchdir(descriptors[WARM_STREAMS]) != 0)
		_exit(REFUSED);
	for (int i = 0; i < WARM_STREAMS; i++)
		dup2(descriptors[i], i);
	for (int i = 0; i < WARM_DESCRIPTORS; i++)
		close(descriptors[i]);
	umask((mode_t)request.umask);
	return main_of_tool((int)request.arguments, words, environ);
}

// Finds the children that have ended, and sends the status of each child to its caller.
static void report_ends(void)
{
	int status;
	for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
		for (int i = 0; i < calls_open; i++) {
			if (calls[i].child != child)
				continue;
			send(calls[i].caller, &status, sizeof status, MSG_NOSIGNAL);
			close(calls[i].caller);
			calls[i] = calls[--calls_open];
			break;
		}
	}
}

static void child_ended(int signal)
{
	(void)signal;
}

// Copies the code of large libraries from the page cache to huge pages. Without this, each child maps some thousand
// small pages again, which takes as long as the compilation of a small file. Code that cannot be copied stays in the
// page cache.
static void code_into_huge_pages(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], access[5];
	uintptr_t from, to;
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, access) != 3 ||
			strcmp(access, "r-xp") != 0)
			continue;
		from = (from + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
		to = to / HUGE_PAGE * HUGE_PAGE;
		if (to < from + HUGE_PAGE)
			continue;
		size_t size = to - from;
		char *room = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (room == MAP_FAILED)
			continue;
		char *copy = room + (HUGE_PAGE - (uintptr_t)room % HUGE_PAGE) % HUGE_PAGE;
		madvise(copy, size, MADV_HUGEPAGE);
		memcpy(copy, (void *)from, size);
		if (mprotect(copy, size, PROT_READ | PROT_EXEC) == 0)
			mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)from);
	}
	if (maps != NULL)
		fclose(maps);
}

// Serves callers. In each child of the keeper, this function returns the exit status of the tool. In the keeper itself,
// the function returns 0 when the keeper must end.
static int keep(const char *name)
{
	struct sockaddr_un address;
	socklen_t size = warm_address(&address, name);
	int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listening < 0 || bind(listening, (struct sockaddr *)&address, size) != 0 || listen(listening, MAXIMUM) != 0)
		return 0;
	code_into_huge_pages();

	// SIGCHLD is blocked except while ppoll() waits. This way, no signal is missed.
	sigset_t child, none;
	sigemptyset(&none);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	signal(SIGCHLD, child_ended);
	for (;;) {
		struct pollfd polled[1 + MAXIMUM] = {{.fd = calls_open < MAXIMUM ? listening : -1, .events = POLLIN}};
		for (int i = 0; i < calls_open; i++)
			polled[1 + i] = (struct pollfd){.fd = calls[i].caller, .events = POLLRDHUP};
		int ready = ppoll(polled, (nfds_t)(1 + calls_open), &(struct timespec){.tv_sec = IDLE_SECONDS}, &none);
		if (ready == 0 && calls_open == 0)
			return 0;
		// If a caller was killed, its child must be killed, too.
		for (int i = 0; ready > 0 && i < calls_open; i++)
			if (polled[1 + i].revents != 0)
				kill(calls[i].child, SIGKILL);
		report_ends();
		if (ready <= 0 || polled[0].revents == 0)
			continue;
		int caller = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
		if (caller < 0)
			continue;
		pid_t pid = warm_same_user(caller) ? fork() : -1;
		if (pid == 0) {
			for (int i = 0; i < calls_open; i++)
				close(calls[i].caller);
			close(listening);
			signal(SIGCHLD, SIG_DFL);
			sigprocmask(SIG_UNBLOCK, &child, NULL);
			return be_the_tool(caller);
		}
		if (pid < 0) {
			close(caller);
			continue;
		}
		calls[calls_open].child = pid;
		calls[calls_open++].caller = caller;
	}
}

static int main_of_keeper(int argc, char **argv, char **variables)
{
	const char *name = getenv(WARM_SOCKET);
	return name == NULL ? main_of_tool(argc, argv, variables) : keep(name);
}

// Replaces posix_spawn() of the C library. A compiler driver with several steps starts itself for each step, and these
// calls must go to the keeper, too.
int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const *argv, char *const *variables)
{
	spawn_function *spawn;
	*(void **)&spawn = dlsym(RTLD_NEXT, "posix_spawn");
	const char *folder = getenv(WARM_FOLDER);
	char *caller;
	size_t words = 0;
	while (argv[words] != NULL)
		words++;
	char **called = calloc(words + 2, sizeof *called);
	if (folder == NULL || called == NULL || strcmp(path, argv[0]) != 0 || asprintf(&caller, "%s/warm", folder) < 0)
		return spawn(child, path, actions, attributes, argv, variables);
	called[0] = caller;
	memcpy(called + 1, argv, words * sizeof *argv);
	return spawn(child, caller, actions, attributes, called, variables);
}

// Replaces the function of the C library with which the start-up code of a program runs main().
int __libc_start_main(main_function *tool, int argc, char **argv, void (*init)(void), void (*fini)(void),
	void (*end)(void), void *stack)
{
	start_function *start;
	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	main_of_tool = tool;
	return start(main_of_keeper, argc, argv, init, fini, end, stack);
}
