/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench.c - measures the time that bareprof, compiler-rt and libc take to write and to reset the
 * same sections of the same program. Functions of the three run alternately, so that a disturbance
 * of the machine affects all three.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include "profile.h"

static void libc_write(void)
{
	uint8_t *to = buffer + dump.header_size;

	for (unsigned int i = BAREPROF_DATA; i < BAREPROF_SECTIONS; i++) {
		memcpy(to, image.section[i].start, image.section[i].size);
		to += image.section[i].size;
	}
}

static void their_write(void)
{
	if (__llvm_profile_write_buffer((char *)buffer))
		exit(1);
}

static void our_init(void)
{
	if (bareprof_image_init(&image, __llvm_profile_get_version()))
		exit(1);
}

static void our_open(void)
{
	if (bareprof_open(&dump, &image))
		exit(1);
}

int main(void)
{
	their_sections(&image);
	our_init();
	our_open();
	size = dump.size;
	if (posix_memalign((void **)&buffer, 4096, size + 4096))
		return 1;
	memset(buffer, 0, size);
	race_write(libc_write, their_write);
	race_reset();
	our_init();
	double init = alone(our_init);
	printf("%8.2f MB  find and check the layout: %.1f us, %.1f ns for each function; open: %.2f us\n",
		(double)size / 1e6, init / 1e3, init / (double)image.records, alone(our_open) / 1e3);
	return 0;
}
