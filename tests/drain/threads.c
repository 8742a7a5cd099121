/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threads.c - threads that count while one drains: `threads FILE` writes all drains and
 * the rest to FILE, one .profraw after the other, and says how many turns there were.
 * `threads FILE snapshot`: of snapshots only whether any is less than the one before.
 */
#include <bareprof/snapshot.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define THREADS 3
#define DRAINS  400
#define ROUNDS  20000 /* of each thread at least */

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

int main(int argc, char **argv)
{
	static struct bareprof_image image, then;
	static struct bareprof_dump dump;
	static uint64_t memory[512], last[512];
	static char file[1u << 16];
	pthread_t thread[THREADS];
	FILE *f = argc > 1 ? fopen(argv[1], "wb") : NULL;
	size_t less = 0;

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
	for (int i = 0; i <= DRAINS; i++) {
		if (i == DRAINS) {
			stop = 1;
			for (int j = 0; j < THREADS; j++)
				pthread_join(thread[j], NULL);
		}
		int error = argc > 2 ? bareprof_snapshot(&then, &image, memory, sizeof(memory))
		                     : bareprof_drain(&then, &image, memory, sizeof(memory));
		intptr_t n = bareprof_write(&dump, &then, file, sizeof(file));

		if (error || n < 0)
			return 3;
		for (size_t j = 0; j < image.counters; j++)
			less += memory[j] < last[j];
		if (argc > 2)
			memcpy(last, memory, sizeof(last));
		n += -n & 7;
		if (argc == 2 || i == DRAINS)
			fwrite(file, 1, (size_t)n, f);
	}
	printf("%zu %zu\n", (size_t)done, argc > 2 ? less : 0);
	return fclose(f) != 0;
}
