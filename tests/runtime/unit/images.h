/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * images.h - declares the images that images.S defines, for the test programs.
 */
#ifndef TESTS_UNIT_IMAGES_H
#define TESTS_UNIT_IMAGES_H

#include <bareprof/bareprof.h>

/* An image of images.S. It has the sections, and the .profraw that the runtime must write for the image. */
struct vector {
	const char *name;
	uint8_t *start_stop[BAREPROF_SECTIONS][2];
	const uint8_t *file, *file_end; /* the .profraw, or NULL if the runtime must refuse the image */
	uint32_t declared, declared_bits; /* the low and the high half of the version word */
	uint32_t written; /* the raw version of the file */
	uint32_t records;
	uint32_t mixed; /* the index of the first record of the second layout, or 0 */
};
extern const struct vector vectors[], vectors_end[];
extern const struct vector mixtures[], mixtures_end[];
extern const struct vector doubtful[1];

/* Sets up @image from @vector. Returns the result of bareprof_image_init(). */
int set_up(struct bareprof_image *image, const struct vector *vector);
/* Works like set_up(), but uses @declared as the version word in place of the one in @vector. */
int set_up_as(struct bareprof_image *image, const struct vector *vector, uint64_t declared);

/* Offsets and sizes of a record, taken from LLVM's definition of each version, for 64 and 32 bits. */
struct shape {
	uint32_t version;
	uint32_t size, end, counters, sites, kinds, bitmap_ptr, bitmap, header;
};
const struct shape *shape_of(uint32_t version);

/*
 * Checks that the @n bytes at @file are a well-formed .profraw. Returns NULL, or a description of the first fault.
 * This function was written for the tests and shares no code with the runtime.
 */
const char *malformed(const uint8_t *file, size_t n);

#define SCRATCH 4096u
extern uint8_t scratch[2 * SCRATCH];

void test_accepted(const struct vector *v);
void test_refused(void);
void test_flips(const struct vector *v);
void test_snapshot(const struct vector *v);
void test_drain_beside(void);

#endif
