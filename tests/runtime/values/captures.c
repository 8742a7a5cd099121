/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * captures.c - writes the values that bareprof recorded in subject(). It writes them as a .profraw, and as captures
 * of the same moment with several buffer sizes. `captures PREFIX TIMES NODES NONCE` writes PREFIX.profraw and
 * PREFIX.SIZE.capture, and prints the number of dropped values. Later, while the lists are still held, it writes all
 * files again under names that begin with PREFIX-later.
 */
#include "image.h"

#include <stdio.h>
#include <stdlib.h>

#define NODES 4096

BAREPROF_STATE;
static struct bareprof_values values;
static struct bareprof_node nodes[NODES];
static struct bareprof_image image;
static struct bareprof_dump dump;
static uint8_t memory[1 << 20];

int subject(int n);

static int to_file(const char *name, intptr_t size)
{
	FILE *file = size > 0 ? fopen(name, "wb") : NULL;

	return !file || fwrite(memory, 1, (size_t)size, file) != (size_t)size || fclose(file);
}

static int write_all(const char *prefix, const char *when, size_t nonce)
{
	static const size_t sizes[] = {320, 520, 1024, 4096, 40000};
	struct bareprof_capture capture;
	char name[4096];
	size_t i;

	snprintf(name, sizeof(name), "%s%s.profraw", prefix, when);
	if (to_file(name, bareprof_write(&dump, &image, memory, sizeof(memory))))
		return 2;
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		if (bareprof_capture_values(&capture, &image, nonce, memory, sizes[i]))
			return 4;
		snprintf(name, sizeof(name), "%s%s.%zu.capture", prefix, when, sizes[i]);
		if (to_file(name, bareprof_capture_write(&capture, memory, sizeof(memory))))
			return 2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	if (image_of_program(&image))
		return 1;
	if (bareprof_values_start(&values, &image, nodes, (size_t)atoi(argv[3]) % (NODES + 1)))
		return 1;
	subject(atoi(argv[2]));
	if (bareprof_values_hold(&values, 0))
		return 3;
	if (write_all(argv[1], "", (size_t)atoi(argv[4])))
		return 2;
	printf("%zu\n", values.dropped);
	subject(100);
	if (write_all(argv[1], "-later", (size_t)atoi(argv[4])))
		return 2;
	return 0;
}
