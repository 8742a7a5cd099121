// SPDX-License-Identifier: BSD-2-Clause
// warm.h - the protocol between caller.c and keeper.c.
//
// Debian's clang takes 25 to 30 ms to start, because the dynamic linker must prepare 200 MB of libraries. The tests
// start it twenty thousand times, mostly for a small file. Therefore each tool starts only once, as a keeper, and
// stops before its main(). For each call, the keeper forks, and the child runs main() with the caller's arguments,
// environment, folder and streams. The child is the same program as without a keeper; only the start of the program
// is done in advance.
#ifndef BAREPROF_TESTS_WARM_H
#define BAREPROF_TESTS_WARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

// tests/path.sh sets these variables: a prefix for the names of all sockets of this run, and the folder with the
// programs warm (caller.c) and keeper.so.
#define WARM_RUN    "BAREPROF_WARM"
#define WARM_FOLDER "BAREPROF_WARM_FOLDER"
// This environment variable contains the name of the keeper's socket. It is set only in keepers.
#define WARM_SOCKET "BAREPROF_WARM_SOCKET"

// The maximum size of a name in the address of a socket.
enum {
	WARM_NAME = sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1
};

enum {
	WARM_STREAMS = 3,
	WARM_DESCRIPTORS = WARM_STREAMS + 1
};

// The request of a caller. It is sent with four descriptors: the streams 0 to 2, and the current folder. After the
// request, `bytes` bytes follow: the arguments and the variables, each terminated by a zero byte. The answer is an
// int: the status of the child from waitpid().
struct warm_request {
	uint32_t arguments;
	uint32_t variables;
	uint32_t bytes;
	uint32_t umask;
};

// Makes an abstract address, which needs no file and disappears with the keeper.
static inline socklen_t warm_address(struct sockaddr_un *address, const char *name)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s", name);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

// Abstract addresses have no permissions. Therefore each side checks that the other side belongs to the same user.
static inline bool warm_same_user(int socket)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

#endif
