/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * identity.c - a program that contains both bareprof's runtime and compiler-rt. For this image, bareprof must write
 * the same bytes as compiler-rt.
 *
 * `identity id|none FILE` writes bareprof's .profraw to FILE. It then writes compiler-rt's file to FILE.1 and a
 * capture of the counters to FILE.1.capture, resets the counters, and writes FILE.2 and FILE.2.capture in the same
 * way. The first argument must be `id` if the image has a build id, and `none` if it does not.
 */
#define _GNU_SOURCE
#include <bareprof/capture.h>
#include <bareprof/snapshot.h>

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../bench/theirs.h"

#define SIZE   (1u << 20)
#define CANARY 0x5a

int subject(int n);

static uint8_t theirs[SIZE];
static uint8_t ours[SIZE];
static uint8_t piece[SIZE];
static struct bareprof_image image;
static struct bareprof_dump dump;
static unsigned int yields; /* number of yields since the call of bareprof_capture_write() */

void count_yield(void);

/* identity.sh defines BAREPROF_YIELD() as a call of count_yield(). */
void count_yield(void)
{
	yields++;
}

/* Finds the build id note in the program headers. */
static int find_note(struct dl_phdr_info *info, size_t size, void *found)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *p = (const char *)(info->dlpi_addr + ph->p_vaddr);
		const char *end = p + ph->p_memsz;

		while (ph->p_type == PT_NOTE && p < end) {
			const ElfW(Nhdr) *note = (const void *)p;
			size_t n = sizeof(*note) + ((note->n_namesz + 3u) & ~3u) + ((note->n_descsz + 3u) & ~3u);

			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(note + 1, "GNU", 4)) {
				((struct bareprof_slice *)found)->start = note;
				((struct bareprof_slice *)found)->size = n;
			}
			p += n;
		}
	}
	return 1; /* Stops after the first object, which is the program. Shared objects do not matter here. */
}

static int fail(const char *what, long number)
{
	printf("%s: %ld\n", what, number);
	return 1;
}

/*
 * Compares compiler-rt's .profraw with bareprof's, which is read as a whole and in windows. The buffer for
 * compiler-rt is filled with zeros first, because compiler-rt does not write the padding.
 */
static int compare(const char *when)
{
	memset(theirs, 0, SIZE);
	if (__llvm_profile_write_buffer((char *)theirs))
		return fail(when, -1);
	memset(ours, CANARY, SIZE);
	intptr_t n = bareprof_write(&dump, &image, ours, SIZE);
	if (n < 0)
		return fail(when, n);
	for (intptr_t i = 0; i < n; i++)
		if (ours[i] != theirs[i])
			return fail(when, i);
	for (size_t window = 1; window < 100; window++) {
		size_t offset = 0;
		intptr_t got;

		while ((got = bareprof_read(&dump, offset, piece + offset, window)) > 0)
			offset += (size_t)got;
		if (got || offset != (size_t)n || memcmp(piece, theirs, offset))
			return fail("in windows", (long)window);
	}
	return 0;
}

/*
 * Compares bareprof's .profraw with the file @name that compiler-rt's file writer made. Only this file has all of the
 * padding. compiler-rt's buffer functions return a size without the padding of the vtable names.
 */
static int whole_file(const char *name)
{
	memset(theirs, CANARY, SIZE);
	remove(name);
	__llvm_profile_set_filename(name);
	FILE *f = __llvm_profile_write_file() ? NULL : fopen(name, "rb");
	size_t n = f ? fread(theirs, 1, SIZE, f) : 0;
	__llvm_profile_set_filename("/dev/null");
	return !f || fclose(f) || n != dump.size || memcmp(theirs, ours, n);
}

static int to_file(const char *name, const void *data, size_t size)
{
	FILE *f = fopen(name, "wb");

	return !f || fwrite(data, 1, size, f) != size || fclose(f);
}

/*
 * Copies the counters into memory, and writes a capture of the copy to the file PATH.NUMBER.capture. The captures have
 * the nonce 1. If @number is 1, a snapshot makes the copy. Later, the counters are reset, and code counts between the
 * snapshot and the reset. If @number is 2, a drain makes the copy.
 */
static int drain(const char *path, int number)
{
	static uint64_t counters[SIZE / 8];
	static uint8_t memory[SIZE];
	struct bareprof_capture capture;
	struct bareprof_image then;
	struct bareprof_dump of_then;
	char name[4096];

	snprintf(name, sizeof(name), "%s.%d", path, number);
	if (whole_file(name))
		return fail("file", number);
	int error = number == 1 ? bareprof_snapshot(&then, &image, counters, sizeof(counters))
	                        : bareprof_drain(&then, &image, counters, sizeof(counters));
	if (error)
		return fail("snapshot", error);
	subject(5);
	memset(piece, CANARY, SIZE);
	if (bareprof_write(&of_then, &then, piece, SIZE) < 0 || memcmp(piece, ours, dump.size))
		return fail("file of a snapshot", number);
	error = bareprof_capture_open(&capture, &then, 1, memory, BAREPROF_BLOCK_MIN);
	if (error)
		return fail("capture", error);
	yields = 0;
	intptr_t n = bareprof_capture_write(&capture, memory, SIZE);
	/* The runtime yields after each block. */
	if (n < 0 || yields != capture.blocks)
		return fail("capture", n < 0 ? n : (intptr_t)yields);
	if (number == 1)
		bareprof_reset(&image);
	snprintf(name, sizeof(name), "%s.%d.capture", path, number);
	return to_file(name, memory, (size_t)n) ? fail("cannot write", number) : 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	their_sections(&image);

	struct bareprof_slice note = {0};
	dl_iterate_phdr(find_note, &note);
	if (!note.size != !strcmp(argv[1], "none"))
		return fail("build id", (long)note.size);
	int error = bareprof_build_id(&image, note.start, (uint32_t)note.size);
	if (error)
		return fail("build id", error);

	/* The raw version is first found from the records alone, and then declared by the version symbol. */
	uint64_t version = __llvm_profile_get_version();
	error = bareprof_image_init(&image, version & ~BAREPROF_VERSION_NUMBER);
	if (error || image.version != version)
		return fail("learning", error);
	error = bareprof_image_init(&image, version);
	if (error || image.version != version)
		return fail("init", error);

	subject(20);
	if (compare("byte of the file"))
		return 1;
	if (to_file(argv[2], ours, dump.size))
		return fail("cannot write", 0);
	if (drain(argv[2], 1))
		return 1;

	__llvm_profile_reset_counters();
	if (__llvm_profile_write_buffer((char *)piece))
		return 1;
	subject(7);
	bareprof_reset(&image);
	memset(ours, 0, SIZE);
	if (bareprof_write(&dump, &image, ours, SIZE) < 0 || memcmp(ours, piece, dump.size))
		return fail("after reset", 0);
	subject(3);
	if (compare("byte of the file after reset") || drain(argv[2], 2))
		return 1;
	printf("v%u, %zu records, %zu counters, bitmap %zu, vtables %zu, id %zu, %zu bytes\n", (unsigned int)version,
		image.records, image.counters, image.section[BAREPROF_BITS].size, image.profraw.vtables,
		image.section[BAREPROF_BUILD_ID].size, dump.size);
	return 0;
}
