/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf.c - runs `bareprof check` on damaged images. In each of the given ELF files it changes random bytes, most of
 * them in headers. The test fails if the sanitizers report an error, if a case exceeds its time limit, or if an error
 * has no text.
 */
#include "check.h"
#include "make.h"
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 300

static unsigned int refused;
static unsigned int judged;
static unsigned int silent;

static void examine(const char *path)
{
	static const char *const forbidden[] = {".text", NULL};
	struct check check = {.path = path, .forbidden = forbidden};
	struct error error = {""};

	/* Ends the program after 20 seconds. Files of some KiB take much less time. */
	alarm(20);
	if (check_image(&check, &error) == STATUS_OK) {
		judged++;
		check_estimate(&check);
	} else {
		refused++;
		silent += !error.text[0];
	}
	check_free(&check);
	alarm(0);
}

static void damage(struct bytes whole, const char *path, uint64_t *random)
{
	uint8_t *copy = allocate(whole.size, 1);
	unsigned int changes = 1 + (unsigned int)(make_random(random) % 6);
	unsigned int where = (unsigned int)(make_random(random) % 4);
	size_t size = make_random(random) % 16 ? whole.size : make_random(random) % whole.size;
	/*
	 * Half of the damaged files have the damage in the ELF header, which is at the start, or in the section
	 * headers, which are at the end.
	 */
	size_t tail = whole.size < 1024 ? whole.size : 1024;
	FILE *file;

	memcpy(copy, whole.data, whole.size);
	while (changes--) {
		size_t at = where == 0   ? make_random(random) % 64
		            : where == 1 ? whole.size - 1 - make_random(random) % tail
		                         : make_random(random) % whole.size;

		copy[at % whole.size] = (uint8_t)(make_random(random) % 2 ? make_random(random) : 0xff);
	}
	file = fopen(path, "wb");
	if (!file || fwrite(copy, 1, size, file) != size || fclose(file)) {
		printf("not ok - cannot write %s\n", path);
		exit(1);
	}
	free(copy);
	examine(path);
}

/* The first argument is the file to write the damaged image to. The other arguments are the images. */
int main(int argc, char **argv)
{
	uint64_t random = 5;
	unsigned int round;
	int i;

	for (i = 2; i < argc; i++) {
		struct input input;
		struct error error;

		if (input_read(&input, argv[i], &error) == STATUS_OK && input.bytes.size)
			for (round = 0; round < ROUNDS; round++)
				damage(input.bytes, argv[1], &random);
		input_free(&input);
	}
	printf("%s - %d images damaged: %u refused, %u judged, every refusal with a reason\n", silent ? "not ok" : "ok",
		argc - 2, refused, judged);
	return silent != 0;
}
