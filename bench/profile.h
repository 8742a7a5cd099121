/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - the profile that the benchmarks write and reset, and the code of the benchmarks that
 * does not depend on value data.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdlib.h>
#include <string.h>

#include "race.h"
#include "theirs.h"

static struct bareprof_image image;
static struct bareprof_dump dump;
static uint8_t *buffer;
static size_t size;

static void our_write(void)
{
	if (bareprof_read(&dump, 0, buffer, size) != (intptr_t)size)
		exit(1);
}

static void libc_reset(void)
{
	memset((void *)(uintptr_t)image.section[BAREPROF_CNTS].start, 0, image.section[BAREPROF_CNTS].size);
}

static void our_reset(void)
{
	bareprof_reset(&image);
}

static double race_write(void (*libc)(void), void (*theirs)(void))
{
	return race("write", size, size, (void (*const[3])(void)){libc, our_write, theirs});
}

static double race_reset(void)
{
	return race("reset", size, image.section[BAREPROF_CNTS].size,
		(void (*const[3])(void)){libc_reset, our_reset, __llvm_profile_reset_counters});
}

#endif
