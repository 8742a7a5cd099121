/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * g.c - the harness of body G. It works GRAPH_ROUNDS times, each time with another seed, and writes the .mipraw of each
 * round to file descriptor 3. Each round begins with an empty ring. The counts go on, so that each round draws other
 * distances between samples.
 */
#include "bareprof.h"

#include "body.h"

BAREPROF_STATE;
BAREPROF_MIP_RING(GRAPH_SLOTS);

unsigned int graph_work(unsigned int seed, unsigned int steps);

static int dump(const struct bareprof_image *image)
{
	static struct bareprof_dump dump;
	static unsigned char window[4096];
	size_t at = 0, n;

	bareprof_mip_open(&dump, image);
	for (; at < dump.size; at += n) {
		n = (size_t)bareprof_read(&dump, at, window, sizeof(window));
		if (!n || n > sizeof(window) || body_write(3, window, n))
			return 11;
	}
	return 0;
}

static void empty(const struct bareprof_slice *ring)
{
	unsigned char *bytes = (unsigned char *)(uintptr_t)ring->start;
	size_t i;

	for (i = 0; i < ring->size; i++)
		bytes[i] = 0;
}

int body_main(void)
{
	static struct bareprof_image image;
	unsigned int seed;

	if (bareprof_mip_image_self(&image))
		return 10;
	for (seed = 1; seed <= GRAPH_ROUNDS; seed++) {
		empty(&image.section[BAREPROF_MIP_SAMPLES]);
		body_print("work", graph_work(seed * 2654435761u, GRAPH_STEPS));
		if (dump(&image))
			return 11;
	}
	return 0;
}
