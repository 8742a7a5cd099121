/* SPDX-License-Identifier: BSD-2-Clause */
/* probes_check.h - what is wrong with the pseudo probes of an image, before it is sampled. */
#ifndef BAREPROF_HOST_PROBES_CHECK_H
#define BAREPROF_HOST_PROBES_CHECK_H

#include "probes.h"
#include "sampleprof.h"

struct probes_check {
	const char *path;
	const struct image *image;
	const struct probes *probes;
	size_t errors;
	size_t warnings;
};

/*
 * probes_check_image - prints a line for each thing that is wrong with the probes of check->image.
 * probes_check_profile - prints a line if functions of @profile do not fit the image. @name is the name of its file.
 */
void probes_check_image(struct probes_check *check);
void probes_check_profile(struct probes_check *check, const struct sampleprof *profile, const char *name);

#endif
