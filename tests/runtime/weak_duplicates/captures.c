/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * captures.c - a program that gives the weak duplicates in its image their own counters back. `captures PREFIX`
 * writes PREFIX.profraw, and a capture of the same moment to PREFIX.capture. The instrumented code is hosted.c, whose
 * main() is renamed to work().
 */
#include "../values/image.h"

#include <stdio.h>

#define NODES 256

int work(void);

BAREPROF_STATE;
static struct bareprof_values values;
static struct bareprof_node nodes[NODES];
static struct bareprof_image image;
static struct bareprof_dump dump;
static struct bareprof_capture capture;
static uint8_t memory[1 << 16];

static int to_file(const char *prefix, const char *end, intptr_t size)
{
	char name[4096];
	FILE *file;

	snprintf(name, sizeof(name), "%s.%s", prefix, end);
	file = size > 0 ? fopen(name, "wb") : NULL;
	return !file || fwrite(memory, 1, (size_t)size, file) != (size_t)size || fclose(file);
}

static int start(void)
{
	if (image.value_sites)
		return bareprof_capture_values(&capture, &image, 1, memory, 1024);
	return bareprof_capture_open(&capture, &image, 1, memory, 1024);
}

int main(int argc, char **argv)
{
	if (argc != 2 || image_of_program(&image) != BAREPROF_E_OVERLAP || bareprof_fix_weak_duplicates(&image) <= 0 ||
		bareprof_image_init(&image, __llvm_profile_raw_version))
		return 1;
	if (image.value_sites && bareprof_values_start(&values, &image, nodes, NODES))
		return 2;
	work();
	if (image.values && bareprof_values_hold(&values, 0))
		return 3;
	if (to_file(argv[1], "profraw", bareprof_write(&dump, &image, memory, sizeof(memory))) || start())
		return 4;
	return to_file(argv[1], "capture", bareprof_capture_write(&capture, memory, sizeof(memory)));
}
