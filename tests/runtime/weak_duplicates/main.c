/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - an image in which several objects define the same weak function. The runtime must refuse the image. Then
 * the weak duplicates get their own counters back, and the program writes the profile to the file that its argument
 * names.
 */
#include <bareprof/producer.h>
#include <bareprof/values.h>
#include <stdio.h>
#include <string.h>

#include "weak.h"

#define BOUNDS(name) extern __attribute__((weak)) char __start_##name[], __stop_##name[]
BOUNDS(__llvm_prf_data);
BOUNDS(__llvm_prf_cnts);
BOUNDS(__llvm_prf_bits);
BOUNDS(__llvm_prf_names);
BOUNDS(__llvm_prf_vals);
BOUNDS(__llvm_prf_vnds);
extern __attribute__((weak)) const uint64_t __llvm_profile_raw_version;

__attribute__((weak)) int before1(int n), before2(int n), before3(int n);
__attribute__((weak)) int behind1(int n), behind2(int n), behind3(int n);

BAREPROF_STATE;
static struct bareprof_image image;
static struct bareprof_values values;
static struct bareprof_node nodes[100];
static struct bareprof_dump dump;
static char buffer[1 << 16];

#define RECORD BAREPROF_RECORD_SIZE(BAREPROF_PRODUCER, (unsigned int)sizeof(void *))

static void set(enum bareprof_section section, const char *start, const char *stop)
{
	image.section[section].start = start;
	image.section[section].size = (size_t)(stop - start);
}

static int init(void)
{
	return bareprof_image_init(&image, &__llvm_profile_raw_version ? __llvm_profile_raw_version : 0);
}

/*
 * Changes the records so that no two records have the same name. Returns 1 if the runtime then reports the shared
 * counters as an error and leaves the records unchanged.
 */
static int is_refused(void)
{
	static char was[1 << 14];
	size_t size = image.section[BAREPROF_DATA].size;
	size_t i;
	int is;

	for (i = 0; i < size; i += RECORD)
		__start___llvm_prf_data[i] ^= (char)(i / RECORD);
	memcpy(was, __start___llvm_prf_data, size);
	is = bareprof_fix_weak_duplicates(&image) == BAREPROF_E_OVERLAP && !memcmp(was, __start___llvm_prf_data, size);
	for (i = 0; i < size; i += RECORD)
		__start___llvm_prf_data[i] ^= (char)(i / RECORD);
	return is;
}

static void run(void)
{
	int i;

	for (i = 0; i < 5; i++) {
		chosen(i);
		if (before1)
			before1(i), behind1(i);
		if (before2)
			before2(i), behind2(i);
		if (before3)
			before3(i), behind3(i);
	}
}

int main(int argc, char **argv)
{
	FILE *file;
	intptr_t n;

	(void)argc;
	set(BAREPROF_DATA, __start___llvm_prf_data, __stop___llvm_prf_data);
	set(BAREPROF_CNTS, __start___llvm_prf_cnts, __stop___llvm_prf_cnts);
	set(BAREPROF_BITS, __start___llvm_prf_bits, __stop___llvm_prf_bits);
	set(BAREPROF_NAMES, __start___llvm_prf_names, __stop___llvm_prf_names);
	set(BAREPROF_VALS, __start___llvm_prf_vals, __stop___llvm_prf_vals);
	set(BAREPROF_VNDS, __start___llvm_prf_vnds, __stop___llvm_prf_vnds);
	n = init();
	printf("init: %s\n", n == BAREPROF_E_OVERLAP ? "OVERLAP" : bareprof_strerror(n));
	if (!is_refused())
		printf("records of different names were separated, or changed\n");
	printf("separate: %d\n", bareprof_fix_weak_duplicates(&image));
	printf("again: %s\n", bareprof_strerror(bareprof_fix_weak_duplicates(&image)));
	n = init();
	printf("init: %s\n", bareprof_strerror(n));
	if (n)
		return 1;
	if (image.value_sites && bareprof_values_start(&values, &image, nodes, 100))
		return 1;
	run();
	if (image.values)
		bareprof_values_hold(&values, 0);
	n = bareprof_write(&dump, &image, buffer, sizeof(buffer));
	file = fopen(argv[1], "wb");
	return n < 0 || !file || fwrite(buffer, 1, (size_t)n, file) != (size_t)n || fclose(file);
}
