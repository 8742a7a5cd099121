/* SPDX-License-Identifier: BSD-2-Clause */
/* hooks.c - the same work, with lists that bareprof makes. `hooks FILE` */
#include <bareprof/values.h>
#include <stdio.h>

BAREPROF_STATE;
static struct bareprof_values values;
static struct bareprof_node nodes[64];

#define BOUNDS(section)                                                                                                \
	extern const char __start_##section[];                                                                         \
	extern const char __stop_##section[];
BOUNDS(__llvm_prf_data)
BOUNDS(__llvm_prf_cnts)
BOUNDS(__llvm_prf_names)
BOUNDS(__llvm_prf_vals)
BOUNDS(__llvm_prf_vnds)
/* Of vtables, if there are any. */
#define WEAK __attribute__((weak))
extern const char WEAK __start___llvm_prf_vtab[], WEAK __stop___llvm_prf_vtab[];
extern const char WEAK __start___llvm_prf_vns[], WEAK __stop___llvm_prf_vns[];
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
	SET(BAREPROF_VTAB, __llvm_prf_vtab);
	SET(BAREPROF_VNAMES, __llvm_prf_vns);
	if (!out || bareprof_image_init(&image, __llvm_profile_raw_version))
		return 1;
	SET(BAREPROF_VALS, __llvm_prf_vals);
	SET(BAREPROF_VNDS, __llvm_prf_vnds);
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
