/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * writer.c - compares two writers of value lists. The hooks of compiler-rt make the lists, and both writers write the
 * same lists. With `writer FILE`, compiler-rt's file writer writes a profile with these lists to FILE. bareprof writes
 * the profile to memory, as a whole and in windows of many sizes. All results must be the same.
 */
#include <bareprof/values.h>
#include <stdio.h>
#include <string.h>

#include "../../../bench/theirs.h"

extern const char __start___llvm_prf_vals[];
extern const char __stop___llvm_prf_vals[];
int subject(int n);

BAREPROF_STATE;
static struct bareprof_values values;
static struct bareprof_image image;
static struct bareprof_dump dump;
static uint8_t ours[1 << 20];
static uint8_t theirs[1 << 20];

static int in_windows(size_t size, size_t window)
{
	static uint8_t pieces[1 << 20];
	size_t at = 0;
	intptr_t n;

	while ((n = bareprof_read(&dump, at, pieces + at, window)) > 0)
		at += (size_t)n;
	return !n && at == size && !memcmp(pieces, ours, size);
}

int main(int argc, char **argv)
{
	size_t window;
	size_t read;
	intptr_t n;
	FILE *file;

	their_sections(&image);
	set_section(&image, BAREPROF_VALS, __start___llvm_prf_vals, __stop___llvm_prf_vals);
	if (bareprof_image_init(&image, __llvm_profile_get_version()) || !image.value_sites)
		return 1;
	if (bareprof_open(&dump, &image) != BAREPROF_E_VALUE_SITES)
		return 1;
	/*
	 * The lists are in compiler-rt's own nodes, because compiler-rt made them. bareprof only uses the list heads.
	 */
	if (bareprof_values_start(&values, &image, NULL, 0))
		return 1;
	subject(argc > 2 ? 0 : 1000);
	if (bareprof_values_hold(&values, 0))
		return 1;
	n = bareprof_write(&dump, &image, ours, sizeof(ours));
	__llvm_profile_set_filename(argv[1]);
	if (n <= 0 || __llvm_profile_write_file())
		return 2;
	__llvm_profile_set_filename("/dev/null"); /* compiler-rt writes a profile once more when the program ends */
	file = fopen(argv[1], "rb");
	read = file ? fread(theirs, 1, sizeof(theirs), file) : 0;
	if (read != (size_t)n || memcmp(ours, theirs, read)) {
		printf("%zu bytes, compiler-rt has %zu\n", (size_t)n, read);
		return 3;
	}
	for (window = 1; window < 300; window++)
		if (!in_windows(read, window))
			return 4;
	printf("%zu bytes\n", read);
	return 0;
}
