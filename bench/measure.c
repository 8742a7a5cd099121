/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.c - runs a command, discards its output, and prints three numbers about the command: CPU
 * seconds (user and system), elapsed seconds, and peak memory in MB.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct timespec start;
	struct timespec end;
	struct rusage usage;
	int status;
	pid_t child;

	if (argc < 2)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &start);
	/* Uses vfork(), because fork() makes a copy of this process, which would count as memory of the command. */
	child = vfork();
	if (!child) {
		int null = open("/dev/null", O_WRONLY);

		if (null >= 0 && dup2(null, 1) == 1)
			execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "measure: %s failed\n", argv[1]);
		return 1;
	}
	printf("%.6f %.6f %.1f\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9,
		(double)usage.ru_maxrss / 1024);
	return 0;
}
