/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threads.c - a program whose threads count while another thread drains. `threads FILE` writes two .profraw to FILE,
 * one after the other: the sum of all drains, and the counts that remain after the last drain. `threads FILE
 * snapshot` takes snapshots instead of drains. Each counter in a snapshot is compared with the same counter in the
 * previous snapshot. Each counter in a drain is compared with 0. Both commands print three numbers: the calls of
 * turn(), the number of comparisons in which the counter was lower, and the number in which it was higher.
 */
#include <bareprof/snapshot.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define THREADS 3
#define DRAINS  100000
#define MOST    (1 << 25)
#define ENOUGH  3000 /* stop after this many comparisons in which the counter was higher */
#define ROUNDS  20000 /* minimum number of calls by each thread */
#define ROOM    512

extern const uint64_t __llvm_profile_raw_version __attribute__((weak));
extern const char __start___llvm_prf_data[], __stop___llvm_prf_data[], __start___llvm_prf_cnts[],
	__stop___llvm_prf_cnts[], __start___llvm_prf_names[], __stop___llvm_prf_names[];
int turn(int n);

static atomic_int stop;
static atomic_size_t done;

static void *work(void *p)
{
	size_t n = 0;

	for (; n < ROUNDS || !stop; n++)
		turn((int)n);
	done += n;
	return p;
}

/* Writes a .profraw, padded so that another .profraw can follow. */
static int put(FILE *f, const struct bareprof_image *image)
{
	static struct bareprof_dump dump;
	static char file[1u << 16];
	intptr_t n = bareprof_write(&dump, image, file, sizeof(file));

	return n < 0 || fwrite(file, 1, (size_t)(n + (-n & 7)), f) != (size_t)(n + (-n & 7));
}

int main(int argc, char **argv)
{
	static struct bareprof_image image, then, all;
	static uint64_t memory[ROOM], last[ROOM], sum[ROOM];
	pthread_t thread[THREADS];
	FILE *f = argc > 1 ? fopen(argv[1], "wb") : NULL;
	size_t less = 0, found = 0;

#define SECTION(which, name)                                                                                           \
	image.section[which].start = __start_##name;                                                                   \
	image.section[which].size = (size_t)(__stop_##name - __start_##name)
	SECTION(BAREPROF_DATA, __llvm_prf_data);
	SECTION(BAREPROF_CNTS, __llvm_prf_cnts);
	SECTION(BAREPROF_NAMES, __llvm_prf_names);
	if (!f || bareprof_image_init(&image, &__llvm_profile_raw_version ? __llvm_profile_raw_version : 0))
		return 2;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	if (bareprof_snapshot(&all, &image, sum, sizeof(sum)) || image.counters > ROOM)
		return 3;
	memset(sum, 0, sizeof(sum));
	for (int i = 0; i < MOST && (i < DRAINS || found < ENOUGH); i++) {
		int error = argc > 2 ? bareprof_snapshot(&then, &image, memory, sizeof(memory))
		                     : bareprof_drain(&then, &image, memory, sizeof(memory));

		if (error)
			return 3;
		for (size_t j = 0; j < image.counters; j++) {
			less += memory[j] < last[j];
			found += memory[j] > last[j];
			if (argc > 2)
				last[j] = memory[j];
			sum[j] += memory[j];
		}
	}
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	if (put(f, &all) || put(f, &image))
		return 4;
	printf("%zu %zu %zu\n", (size_t)done, less, found);
	return fclose(f) != 0;
}
