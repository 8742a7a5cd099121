/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c - lets Xen work, for samples of Xen. It runs in dom0 and shares no code with the host program.
 *
 *	load version SECONDS   calls xen_version, 512 times in each multicall
 *	load console SECONDS   reads Xen's console ring, with one sysctl for each hypercall
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#define CALLS        512u
#define RING         16384u
#define MULTICALL    13
#define VERSION      17
#define SYSCTL       35
#define READ_CONSOLE 1
#define INTERFACE    0x15

struct entry {
	uint64_t op, result, argument[6];
};

struct read_console {
	uint32_t command, version;
	uint8_t clear, incremental;
	uint16_t pad;
	uint32_t index;
	uint64_t buffer;
	uint32_t count;
	uint8_t rest[128 - 20];
};

int main(int argc, char **argv)
{
	int fd = open("/dev/xen/privcmd", O_RDWR);
	uint8_t *memory = mmap(
		NULL, 1u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED | MAP_POPULATE, -1, 0);
	struct entry *entries = (void *)memory;
	struct read_console *sysctl = (void *)memory;
	int console = argc == 3 && !strcmp(argv[1], "console");
	uint64_t version[6] = {MULTICALL, (uintptr_t)entries, CALLS};
	uint64_t read[6] = {SYSCTL, (uintptr_t)sysctl};
	unsigned long calls = 0;
	time_t end;

	if (argc != 3 || fd < 0 || memory == MAP_FAILED || (!console && strcmp(argv[1], "version")))
		return 1;
	end = time(NULL) + atoi(argv[2]);
	do {
		unsigned int i;

		memset(memory, 0, 4096);
		for (i = 0; i < CALLS && !console; i++)
			entries[i] = (struct entry){.op = VERSION};
		if (console)
			*sysctl = (struct read_console){.command = READ_CONSOLE,
				.version = INTERFACE,
				.buffer = (uintptr_t)(memory + 65536),
				.count = RING};
		if (ioctl(fd, _IOC(_IOC_NONE, 'P', 0, sizeof(read)), console ? read : version) < 0)
			return 2;
		if (!console && entries[CALLS - 1].result >> 16 != 4)
			return 3;
		calls++;
	} while (time(NULL) < end);
	printf("%lu\n", calls);
	return 0;
}
