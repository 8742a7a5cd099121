/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.c - makes Xen's hypercall for coverage with all mistakes that a caller can make; it runs in dom0. It checks
 * Xen's answers, and that Xen writes nothing outside of the buffer. It is for Xen with ports/xen, and shares no code
 * with the host program. The argument can be a debug key to press, or "domu". With "domu", this domain is not dom0,
 * and Xen must refuse everything.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define VERSION 0x15
#define PAGE    4096u
#define ROOM    (8u << 20)
#define CANARY  0xa5

/* The address of the code of Xen 4.17. */
#ifdef __aarch64__
#define XEN_TEXT 0x200000ull
#else
#define XEN_TEXT 0xffff82d040200000ull
#endif

enum {
	GET_SIZE,
	READ,
	RESET,
	READ_AT
};

struct sysctl {
	uint32_t command, version;
	uint32_t cmd, size;
	uint64_t buffer;
	uint32_t form, pad;
	uint64_t offset, total, serial;
	uint8_t rest[128 - 48];
};
_Static_assert(sizeof(struct sysctl) == 136, "the size of Xen's struct");

static int fd;
static uint8_t *buffer; /* has ROOM bytes; the page after the buffer is not mapped */
static size_t watched = ROOM; /* call() writes canaries to the first @watched bytes of the buffer */
static uint8_t *copy; /* a copy of the whole profile */
static struct sysctl s;

static void say(int good, const char *what)
{
	printf("%s - guest: %s\n", good ? "ok" : "not ok", what);
	if (!good)
		printf("    errno %d, size %u, total %llu, serial %llu\n", errno, s.size, (unsigned long long)s.total,
			(unsigned long long)s.serial);
}

/*
 * Makes the hypercall that the variable s describes. Before the call, it writes new canaries to the watched part of the
 * buffer.
 */
static int call(uint32_t cmd)
{
	uint64_t hypercall[6] = {35, (uintptr_t)&s};

	s.command = 20;
	s.version = s.version ? s.version : VERSION;
	s.cmd = cmd;
	memset(buffer, CANARY, watched);
	errno = 0;
	return ioctl(fd, _IOC(_IOC_NONE, 'P', 0, sizeof(hypercall)), hypercall) < 0 ? errno : 0;
}

static int read_at(uint64_t offset, uint32_t size)
{
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = size, .offset = offset};
	return call(READ_AT);
}

/* Returns 1 if the buffer still has its canaries from offset @from on, else 0. */
static int clean(size_t from)
{
	for (; from < watched; from++)
		if (buffer[from] != CANARY)
			return 0;
	return 1;
}

static int fails(int code, int wanted)
{
	return code == wanted && clean(0);
}

/*
 * The extent of the counters in the profile, and the profile's size. All bytes outside of the counters are the same
 * in every dump and window.
 */
static size_t counters_at, counters_end, total;

static int same(uint64_t offset, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((offset + i < counters_at || offset + i >= counters_end) && buffer[i] != copy[offset + i])
			return 0;
	return 1;
}

static void whole(void)
{
	uint64_t header[16];
	uint32_t size;

	s = (struct sysctl){0};
	say(call(GET_SIZE) == 0 && s.size > 500000, "get_size: the size of the profile");
	total = size = s.size;
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = ROOM};
	say(call(READ) == 0 && s.size == size && clean(size), "read: the whole profile, its size, and nothing else");
	memcpy(copy, buffer, size);
	memcpy(header, copy, sizeof(header));
	say(header[0] == 0xff6c70726f667281ull && (uint32_t)header[1] >= 8, "read: it is a raw profile of 64 bits");
	/*
	 * In the header of version 10, word 2 is the size of the build ids in bytes, word 3 is the number of records,
	 * and word 5 is the number of counters. Words 4 and 6 are the padding in bytes before and after the counters.
	 */
	counters_at = 16 * 8 + header[2] + header[3] * 64 + header[4];
	counters_end = counters_at + header[5] * 8;
	say(counters_end < size, "read: there are counters, and sections after them");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = size - 1};
	say(fails(call(READ), ENOBUFS) && s.size == size,
		"read: a buffer that is a byte too small gets the required size");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = 0};
	say(fails(call(READ), ENOBUFS) && s.size == size, "read: a buffer of 0 bytes gets the required size");
}

static void addresses(void)
{
	static const struct {
		const char *what;
		uint64_t address;
	} bad[] = {{"null", 0}, {"Xen's own", XEN_TEXT}, {"not canonical", 1ull << 63}, {"the last", ~0ull}};
	char what[100];
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(what, sizeof(what), "read: a buffer at a bad address (%s) is refused", bad[i].what);
		s = (struct sysctl){.buffer = bad[i].address, .size = ROOM};
		say(fails(call(READ), EFAULT), what);
		snprintf(what, sizeof(what), "read_at: a buffer at a bad address (%s) is refused", bad[i].what);
		s = (struct sysctl){.buffer = bad[i].address, .size = PAGE};
		say(fails(call(READ_AT), EFAULT), what);
		snprintf(what, sizeof(what), "read_at: a block's buffer at a bad address (%s) is refused", bad[i].what);
		s = (struct sysctl){.buffer = bad[i].address, .size = ROOM, .form = 1};
		say(fails(call(READ_AT), EFAULT), what);
	}
	s = (struct sysctl){.buffer = (uintptr_t)buffer + ROOM - PAGE, .size = 2 * PAGE};
	say(call(READ_AT) == EFAULT, "read_at: a buffer whose second page is not mapped is refused");
	s = (struct sysctl){.buffer = (uintptr_t)buffer + ROOM - PAGE, .size = ROOM};
	say(call(READ) == EFAULT, "read: a buffer of which only the first page is mapped is refused");
	s = (struct sysctl){.buffer = (uintptr_t)buffer + ROOM - PAGE, .size = PAGE};
	say(call(READ_AT) == 0 && s.size == PAGE && same(0, 0), "read_at: a buffer up to the last mapped byte works");
}

static void arguments(void)
{
	uint64_t serial;
	uint32_t least;

	say(read_at(0, PAGE) == 0 && s.total == total && s.size == PAGE && s.serial && same(0, PAGE) && clean(PAGE),
		"read_at: one page, the total size, and a serial");
	serial = s.serial;
	say(read_at(0, ~0u) == 0 && s.size && s.size <= 65536 && same(0, s.size) && clean(s.size),
		"read_at: at most 64 KiB in one call");
	say(fails(read_at(0, 0), ENOBUFS) && s.size == 1, "read_at: a buffer of 0 bytes is not the end of the profile");
	say(fails(read_at(total - 1, 0), ENOBUFS) && s.size == 1, "read_at: a buffer of 0 bytes for the last byte");
	say(read_at(total, 0) == 0 && s.size == 0 && clean(0), "read_at: a buffer of 0 bytes at the end");
	say(read_at(total - 1, PAGE) == 0 && s.size == 1 && same(total - 1, 1) && clean(1), "read_at: the last byte");
	say(read_at(total, PAGE) == 0 && s.size == 0 && clean(0), "read_at: at the end");
	say(read_at(total + 1, PAGE) == 0 && s.size == 0 && clean(0), "read_at: after the end");
	say(read_at(1ull << 63, ~0u) == 0 && s.size == 0 && clean(0), "read_at: far after the end");
	say(read_at(~0ull, ~0u) == 0 && s.size == 0 && clean(0), "read_at: at the largest offset");
	say(read_at(~0ull - 65535, 65536) == 0 && s.size == 0 && clean(0), "read_at: a window whose end wraps around");

	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = PAGE, .form = 2};
	say(fails(call(READ_AT), EINVAL), "read_at: a form that does not exist is refused");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = PAGE, .pad = 1};
	say(fails(call(READ_AT), EINVAL), "read_at: padding that is not 0 is refused");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = PAGE, .serial = serial + 1};
	say(fails(call(READ_AT), EAGAIN), "read_at: a wrong serial is refused");

	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = ROOM, .form = 1};
	say(call(READ_AT) == 0 && s.size && s.total > 1 && clean(s.size), "read_at: a block of a capture");
	least = s.size;
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = least - 1, .form = 1};
	say(fails(call(READ_AT), ENOBUFS) && s.size == least, "read_at: a buffer too small for a block gets the size");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .form = 1};
	say(fails(call(READ_AT), ENOBUFS) && s.size == least,
		"read_at: a buffer of 0 bytes is not the end of a capture");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = ROOM, .form = 1, .offset = s.total};
	say(call(READ_AT) == 0 && s.size == 0 && clean(0), "read_at: a block after the last");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = ROOM, .form = 1, .offset = 1ull << 32};
	say(call(READ_AT) == 0 && s.size == 0 && clean(0), "read_at: a block whose number has 33 bits");

	s = (struct sysctl){.version = VERSION + 1};
	say(fails(call(GET_SIZE), EACCES), "another version of the interface is refused");
	s = (struct sysctl){0};
	say(fails(call(READ_AT + 1), EOPNOTSUPP), "an operation that does not exist is refused");

	s = (struct sysctl){0};
	say(call(RESET) == 0, "reset");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = PAGE, .serial = serial, .offset = PAGE};
	say(fails(call(READ_AT), EAGAIN), "read_at: after a reset the old serial is refused");
	s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = ROOM, .serial = serial, .form = 1, .offset = 1};
	say(fails(call(READ_AT), EAGAIN), "read_at: after a reset the old serial is refused for a block, too");
	say(read_at(PAGE, PAGE) == 0 && s.serial != serial, "read_at: after a reset there is a new serial");
}

/* Reads @n windows of random sizes at random offsets. */
static void windows(unsigned int n)
{
	int good = 1;

	srand(1);
	watched = 1u << 17;
	while (n-- && good) {
		uint64_t offset = (uint64_t)(unsigned int)rand() * 4 % (total + 1000);
		uint32_t size = (uint32_t)rand() % (n & 1 ? 64 : 70000);
		uint32_t most = offset < total ? (uint32_t)(total - offset) : 0;

		most = most < size ? most : size;
		most = most < 65536 ? most : 65536;
		/*
		 * Xen must yield the CPU in time, so it may return fewer bytes than requested. It must return at
		 * least one byte.
		 */
		if (!size && offset < total)
			good = fails(read_at(offset, size), ENOBUFS);
		else
			good = read_at(offset, size) == 0 && s.size <= most && !s.size == !most &&
			       same(offset, s.size) && clean(s.size);
	}
	say(good, "read_at: 1,000 windows of any size");
}

/* In a domain that is not dom0, Xen must answer all operations with EPERM. */
static void domu(void)
{
	static const char *const what[] = {"get_size", "read", "reset", "read_at"};
	char sentence[100];
	uint32_t cmd;

	s = (struct sysctl){.version = VERSION + 1};
	say(fails(call(GET_SIZE), EACCES), "an unprivileged domain: another version of the interface is refused");
	for (cmd = GET_SIZE; cmd <= READ_AT; cmd++) {
		s = (struct sysctl){.buffer = (uintptr_t)buffer, .size = ROOM};
		snprintf(sentence, sizeof(sentence), "an unprivileged domain: %s is refused", what[cmd]);
		say(fails(call(cmd), EPERM) && s.size == ROOM && !s.total && !s.serial, sentence);
	}
}

static int sysctl(void)
{
	return ioctl(fd, _IOC(_IOC_NONE, 'P', 0, 6 * sizeof(uint64_t)), (uint64_t[6]){35, (uintptr_t)&s}) < 0;
}

/* Reads Xen's console ring into the buffer, as a string. If @clear is 1, the ring is empty afterwards. */
static int read_console(uint32_t clear)
{
	s = (struct sysctl){
		.command = 1, .version = VERSION, .cmd = clear, .buffer = (uintptr_t)buffer, .form = ROOM - 1};
	if (sysctl())
		return 1;
	buffer[s.form] = 0;
	return 0;
}

/*
 * Presses a debug key, as `xl debug-keys` does. If it is the key that dumps the counters, waits until Xen has printed
 * the end of the dump.
 */
static int press(const char *key)
{
	int seconds = *key == 'b' ? 60 : 0;

	if (read_console(1))
		return 1;
	s = (struct sysctl){.command = 7, .version = VERSION};
	memcpy(&s.cmd, &(uint64_t){(uintptr_t)key}, 8);
	s.buffer = 1;
	if (sysctl())
		return 1;
	for (; seconds; seconds--) {
		if (read_console(0))
			return 1;
		if (strstr((char *)buffer, "all counters were dumped"))
			return 0;
		sleep(1);
	}
	return *key == 'b';
}

int main(int argc, char **argv)
{
	fd = open("/dev/xen/privcmd", O_RDWR);
	buffer = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
	copy = malloc(ROOM);
	if (fd < 0 || buffer == MAP_FAILED || !copy || munmap(buffer + ROOM, PAGE)) {
		say(0, "privcmd can be opened, and there is enough memory");
		return 1;
	}
	mlock(&s, sizeof(s));
	if (argc > 1 && !strcmp(argv[1], "domu")) {
		domu();
		return 0;
	}
	if (argc > 1)
		return press(argv[1]);
	whole();
	addresses();
	arguments();
	windows(1000);
	return 0;
}
