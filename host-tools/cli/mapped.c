/* SPDX-License-Identifier: BSD-2-Clause */
/* mapped.c - maps a file. If another program truncates the file, bareprof continues to run. */
#include "mapped.h"
#include "raw_open.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Files with fewer bytes than this are read instead of being mapped, because reading them takes no longer than mapping
 * them.
 */
#define LARGE (1 << 20)

/* The mapped file. It is a global variable, because the signal handler needs it. */
static struct {
	uint8_t *start;
	size_t size;
	uintptr_t page;
	int fd;
	struct stat file; /* state of the file when it was mapped */
	volatile sig_atomic_t cut; /* the file was truncated, and its lost end was replaced by zeros */
} mapped;

/*
 * The handler of SIGBUS: maps zeros from the missing page to the end of the mapping, so that the reader can continue.
 */
static void replace_lost_pages(int number, siginfo_t *info, void *unused)
{
	uint8_t *at = (uint8_t *)((uintptr_t)info->si_addr & ~(mapped.page - 1));

	(void)unused;
	if (mapped.start && at >= mapped.start && at < mapped.start + mapped.size &&
		mmap(at, (size_t)(mapped.start + mapped.size - at), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at) {
		mapped.cut = 1;
		return;
	}
	/*
	 * The address is not in the mapping, or zeros cannot be mapped. Restore the default handler, so that the signal
	 * ends the program when the instruction runs again.
	 */
	signal(number, SIG_DFL);
}

static bool map_file(int fd)
{
	struct sigaction action = {.sa_sigaction = replace_lost_pages, .sa_flags = SA_SIGINFO};
	struct stat *file = &mapped.file;
	void *start;

	if (fstat(fd, file) || !S_ISREG(file->st_mode) || file->st_size < LARGE ||
		(uint64_t)file->st_size > SIZE_MAX / 2)
		return false;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGBUS, &action, NULL))
		return false;
	start = mmap(NULL, (size_t)file->st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (start == MAP_FAILED)
		return false;
	mapped.fd = fd;
	mapped.size = (size_t)file->st_size;
	mapped.page = (uintptr_t)sysconf(_SC_PAGESIZE);
	mapped.cut = 0;
	mapped.start = start;
	return true;
}

bool mapped_raw(const char *path, struct bytes *bytes)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;

	if (fd < 0)
		return false;
	if (!map_file(fd)) {
		close(fd);
		return false;
	}
	*bytes = (struct bytes){mapped.start, mapped.size};
	if (raw_magic(*bytes))
		return true;
	mapped_end();
	return false;
}

enum status mapped_whole(struct error *error)
{
	struct stat now;

	if (!mapped.start)
		return STATUS_OK;
	/* A truncation within the last page raises no signal, so compare the sizes. */
	if (mapped.cut || fstat(mapped.fd, &now) || now.st_size < mapped.file.st_size)
		return error_set(error, STATUS_SYSTEM, "was truncated by another program while it was read: try again");
	if (now.st_mtim.tv_sec != mapped.file.st_mtim.tv_sec || now.st_mtim.tv_nsec != mapped.file.st_mtim.tv_nsec)
		return error_set(error, STATUS_SYSTEM, "was changed by another program while it was read: try again");
	return STATUS_OK;
}

void mapped_end(void)
{
	if (!mapped.start)
		return;
	signal(SIGBUS, SIG_DFL);
	munmap(mapped.start, mapped.size);
	close(mapped.fd);
	mapped.start = NULL;
}
