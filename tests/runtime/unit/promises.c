/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * promises.c - runs the cases of promises.h and prints a line for each case. It contains the functions that the cases
 * share. Usage:
 *	promises [DIRECTORY for profiles]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "promises.h"

#define BOUNDS(section)                                                                                                \
	extern const char __start_##section[];                                                                         \
	extern const char __stop_##section[];
BOUNDS(__llvm_prf_data)
BOUNDS(__llvm_prf_cnts)
BOUNDS(__llvm_prf_bits)
BOUNDS(__llvm_prf_names)
BOUNDS(__llvm_prf_vals)
BOUNDS(__llvm_prf_vnds)

BAREPROF_STATE;
struct bareprof_image image;
struct bareprof_values values;
struct bareprof_dump dump;
struct bareprof_node nodes[1000];
uint8_t file[1 << 16];
void (*on_yield)(void);

static const char *directory;
static bool failed;

void yield(void);
void yield(void)
{
	if (on_yield)
		on_yield();
}

void expect(bool holds, const char *condition, const char *where, int line)
{
	if (holds)
		return;
	/* Only the first failure of a case is printed. */
	if (!failed)
		printf("  %s:%d: not so: %s\n", where, line, condition);
	failed = true;
}

void begin(size_t n, bool compilers)
{
#define SET(which, name)                                                                                               \
	image.section[which].start = __start_##name;                                                                   \
	image.section[which].size = (size_t)(__stop_##name - __start_##name)
	memset(&image, 0, sizeof(image));
	SET(BAREPROF_DATA, __llvm_prf_data);
	SET(BAREPROF_CNTS, __llvm_prf_cnts);
	SET(BAREPROF_BITS, __llvm_prf_bits);
	SET(BAREPROF_NAMES, __llvm_prf_names);
	EXPECT(bareprof_image_init(&image, 0) == BAREPROF_OK);
	if (compilers) {
		SET(BAREPROF_VALS, __llvm_prf_vals);
	}
	EXPECT(bareprof_values_start(&values, &image, nodes, n) == BAREPROF_OK);
}

/* Returns the first record that has value sites. */
static char *record(void)
{
	char *at = (char *)(uintptr_t)image.section[BAREPROF_DATA].start;

	while (!*(uint16_t *)(at + BAREPROF_RECORD_VALUE_SITES(10u, 8u)))
		at += BAREPROF_RECORD_SIZE(10u, 8u);
	return at;
}

void see(uint64_t value)
{
	__llvm_profile_instrument_target(value, record(), 0);
}

struct bareprof_node *list(void)
{
	return **(struct bareprof_node ***)(record() + BAREPROF_RECORD_VALUES_PTR(10u, 8u));
}

uint64_t seen(uint64_t value)
{
	const struct bareprof_node *node = list();

	while (node && node->value != value)
		node = node->next;
	return node ? node->count : 0;
}

size_t length(void)
{
	const struct bareprof_node *node;
	size_t n = 0;

	for (node = list(); node && n < 2000; node = node->next)
		n++;
	return n;
}

size_t take_dump(void)
{
	intptr_t n = -1;

	if (bareprof_values_hold(&values, 0))
		return 0;
	if (!bareprof_open(&dump, &image))
		n = bareprof_read(&dump, 0, file, sizeof(file));
	bareprof_values_release(&values);
	return n > 0 ? (size_t)n : 0;
}

bool is_whole(size_t size)
{
	const struct bareprof_slice *part = image.section;
	size_t at = dump.header_size;
	size_t records = 0;
	unsigned int i;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		at += part[i].size + image.profraw.padding[i];
	for (; at < size; records++) {
		const size_t end = at + *(uint32_t *)(file + at);
		uint32_t kinds = *(uint32_t *)(file + at + 4);

		if (end > size || kinds > 3)
			return false;
		for (at += 8; kinds; kinds--) {
			uint32_t n = *(uint32_t *)(file + at + 4);
			const uint8_t *lengths = file + at + 8;

			if (n > size)
				return false;
			for (at += 8 + ((n + 7) & ~7u); n; n--)
				at += 16u * *lengths++;
		}
		if (at != end)
			return false;
	}
	return at == size && records > 0;
}

void keep(const char *name, size_t size)
{
	char path[4096];
	FILE *out;

	if (!directory)
		return;
	snprintf(path, sizeof(path), "%s/%s.profraw", directory, name);
	out = fopen(path, "wb");
	EXPECT(out && fwrite(file, 1, size, out) == size && !fclose(out));
}

/* Runs the case if it is one of @names, or if @names is empty. */
static void run(char **names, const char *name, void (*promise)(void))
{
	char **one = names;
	int status;
	pid_t child;

	while (*one && strcmp(*one, name))
		one++;
	if (*names && !*one)
		return;
	fflush(stdout);
	child = fork();
	if (!child) {
		alarm(10);
		promise();
		fflush(stdout);
		_exit(failed);
	}
	if (waitpid(child, &status, 0) != child)
		exit(2);
	printf("%s - %s\n", status ? "not ok" : "ok", name);
}

int main(int argc, char **argv)
{
	directory = argc > 1 && *argv[1] ? argv[1] : NULL;
#define RUN(name) run(argv + (argc > 1 ? 2 : 1), #name, name);
	PROMISES(RUN)
	return 0;
}
