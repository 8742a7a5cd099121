/* SPDX-License-Identifier: BSD-2-Clause */
/* hooks.c - the same work, with lists that bareprof makes. `hooks FILE` */
#include <bareprof/values.h>
#include <stdio.h>

BAREPROF_STATE(64);

#define BOUNDS(section)                                                                                                \
	extern const char __start_##section[];                                                                         \
	extern const char __stop_##section[];
BOUNDS(__llvm_prf_data)
BOUNDS(__llvm_prf_cnts)
BOUNDS(__llvm_prf_names)
extern const uint64_t __llvm_profile_raw_version;
int subject(int n);

static struct bareprof_image image;
static struct bareprof_dump dump;
static uint8_t file[1 << 20];

int main(int argc, char **argv)
{
	FILE *out = fopen(argv[argc - 1], "wb");
	intptr_t n;

#define SET(which, name)                                                                                               \
	image.section[which].start = __start_##name;                                                                   \
	image.section[which].size = (size_t)(__stop_##name - __start_##name)
	SET(BAREPROF_DATA, __llvm_prf_data);
	SET(BAREPROF_CNTS, __llvm_prf_cnts);
	SET(BAREPROF_NAMES, __llvm_prf_names);
	if (!out || bareprof_image_init(&image, __llvm_profile_raw_version))
		return 1;
	bareprof_with_values(&image);
	bareprof_values_start(&image);
	subject(1000);
	n = bareprof_write(&dump, &image, file, sizeof(file));
	if (n <= 0 || fwrite(file, 1, (size_t)n, out) != (size_t)n || fclose(out))
		return 2;
	printf("%zu bytes, %zu dropped\n", (size_t)n, bareprof_state_is_missing_write_BAREPROF_STATE.dropped);
	return 0;
}
