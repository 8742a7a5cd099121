/* SPDX-License-Identifier: BSD-2-Clause */
/* hooks.c - the same work, with lists that bareprof makes. `hooks FILE` */
#include "image.h"

#include <stdio.h>

BAREPROF_STATE;
static struct bareprof_values values;
static struct bareprof_node nodes[64];

int subject(int n);

static struct bareprof_image image;
static struct bareprof_dump dump;
static uint8_t file[1 << 20];

int main(int argc, char **argv)
{
	FILE *out = fopen(argv[argc - 1], "wb");
	intptr_t n;

	if (!out || image_of_program(&image))
		return 1;
	if (bareprof_values_start(&values, &image, nodes, sizeof(nodes) / sizeof(nodes[0])))
		return 1;
	subject(1000);
	if (bareprof_values_hold(&values, 0))
		return 3;
	n = bareprof_write(&dump, &image, file, sizeof(file));
	if (n <= 0 || fwrite(file, 1, (size_t)n, out) != (size_t)n || fclose(out))
		return 2;
	printf("%zu bytes, %zu dropped\n", (size_t)n, values.dropped);
	return 0;
}
