/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.c - measures the time that dumps and resets with value data take. It compares bareprof with compiler-rt's file
 * writer, because compiler-rt's other writers leave out values. In this program, the file writer writes to memory, so
 * the file system is not timed. Both runtimes write the same lists, which compiler-rt's hooks made. The functions of
 * libc show the maximum speed: memcpy() copies as many bytes as the dump has, and for a reset, memset() fills only the
 * counters.
 */
#define _GNU_SOURCE
#include <bareprof/values.h>

#include <stdio.h>

#include "profile.h"

extern const char __start___llvm_prf_vals[];
extern const char __stop___llvm_prf_vals[];
extern const char __start___llvm_prf_vnds[];
extern const char __stop___llvm_prf_vnds[];
void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index);

/* Internal functions and types of compiler-rt. Its archive has the functions, but no installed header declares them. */
struct vector;
struct writer {
	uint32_t (*write)(struct writer *writer, struct vector *vectors, uint32_t n);
	char *at;
};
uint32_t lprofBufferWriter(struct writer *writer, struct vector *vectors, uint32_t n);
void *lprofGetVPDataReader(void);
int lprofWriteData(struct writer *writer, void *values, int without_names);

BAREPROF_STATE;
static struct bareprof_values values;
static uint8_t *theirs;

static void libc_write(void)
{
	memcpy(buffer, theirs, size);
}

static void their_write(void)
{
	struct writer writer = {lprofBufferWriter, (char *)theirs};

	if (lprofWriteData(&writer, lprofGetVPDataReader(), 0))
		exit(1);
}

/*
 * Selects a quarter of the functions, and records VALUES values in each of them. The last value is
 * recorded at the function's second site. The functions are not visited in the order of memory.
 */
static void see(void)
{
	char *record = (char *)(uintptr_t)image.section[BAREPROF_DATA].start;
	size_t stride = 4 * 617;

	for (uint64_t value = 1; value <= VALUES; value++)
		for (size_t i = 0, f = 0; i < image.records / 4; i++, f = (f + stride) % (image.records & ~(size_t)3))
			__llvm_profile_instrument_target(value << 12, record + f * values.record_size, value == VALUES);
}

static void verdict(const char *what, double limit, double factor)
{
	printf("%8.2f MB  %-6s %.2fx faster than compiler-rt; required: at least %.1fx%s\n", (double)size / 1e6, what,
		factor, limit, factor < limit ? ": MISSED" : "");
}

int main(void)
{
	their_sections(&image);
	set_section(&image, BAREPROF_VALS, __start___llvm_prf_vals, __stop___llvm_prf_vals);
	set_section(&image, BAREPROF_VNDS, __start___llvm_prf_vnds, __stop___llvm_prf_vnds);
	if (bareprof_image_init(&image, __llvm_profile_get_version()) ||
		bareprof_values_start(&values, &image, NULL, 0))
		return 1;
	see();
	/*
	 * Tells bareprof which nodes compiler-rt's hooks have taken. Both compiler-rt's hooks and
	 * bareprof's hooks take the section's nodes in order, from the start of the section.
	 */
	values.pool[0].next += image.records / 4 * VALUES * sizeof(struct bareprof_node);
	if (bareprof_values_hold(&values, 0) || bareprof_open(&dump, &image))
		return 1;
	size = dump.size;
	if (posix_memalign((void **)&buffer, 4096, size + 4096) || posix_memalign((void **)&theirs, 4096, size + 4096))
		return 1;
	memset(buffer, 0, size);
	their_write();
	our_write();
	if (memcmp(buffer, theirs, size) != 0) {
		puts("bareprof and compiler-rt wrote different bytes");
		return 1;
	}
	verdict("write", 2, race_write(libc_write, their_write));
	verdict("reset", 2.5, race_reset());
	return 0;
}
