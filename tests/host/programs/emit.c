/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.c FORM [SKIP [NONCE [PROFRAW [IMAGE [SPAN]]]]] - writes a generated capture to standard output. The test
 * scripts use it as a target. FORM is text, frames, file, or raw (the profile itself). SKIP is the index of a block
 * to leave out, or -1 to send all blocks. The capture holds the profile in the file PROFRAW, or a generated profile
 * if PROFRAW is not given. IMAGE is the image number, and SPAN the number of raw bytes that each block covers.
 */
#include "make.h"

#include <bareprof/wire.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	static struct made made;
	const char *form = argc > 1 ? argv[1] : "text";
	long skip = argc > 2 ? atol(argv[2]) : -1;
	struct make_options options = {.nonce = argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
		.image = argc > 5 ? (uint32_t)atoi(argv[5]) : 0,
		.span = argc > 6 ? (unsigned int)atoi(argv[6]) : 0};
	struct buffer profile = {0};
	struct buffer out = {0};
	unsigned int i;

	make_profile(&profile, 40, 1);
	make_dump(&made, (struct bytes){profile.data, profile.size}, options);
	if (!strcmp(form, "file"))
		buffer_add_text(&out, BAREPROF_FILE_MAGIC);
	if (!strcmp(form, "raw"))
		buffer_add(&out, profile.data, profile.size);
	for (i = 0; i < made.count && strcmp(form, "raw"); i++) {
		if ((long)i == skip)
			continue;
		if (!strcmp(form, "text"))
			make_text(&out, &made.block[i], "", "\r\n");
		else if (!strcmp(form, "frames"))
			make_frame(&out, &made.block[i]);
		else
			buffer_add(&out, made.block[i].data, made.block[i].size);
	}
	fwrite(out.data, 1, out.size, stdout);
	if (argc > 4) {
		FILE *file = fopen(argv[4], "w");

		if (!file || fwrite(profile.data, 1, profile.size, file) != profile.size || fclose(file))
			return 1;
	}
	made_free(&made);
	buffer_free(&out);
	buffer_free(&profile);
	return ferror(stdout) || fflush(stdout);
}
