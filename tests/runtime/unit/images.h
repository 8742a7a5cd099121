/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * images.h - the assembled images of images.S, as the test programs see them.
 */
#ifndef TESTS_UNIT_IMAGES_H
#define TESTS_UNIT_IMAGES_H

#include <bareprof/bareprof.h>

/* One per image, in images.S: what it consists of and what must come out. */
struct vector {
	const char *name;
	uint8_t *start_stop[BAREPROF_SECTIONS][2];
	const uint8_t *file, *file_end; /* the .profraw; both NULL if there must be none */
	uint32_t declared, declared_bits; /* the version word, low and high half */
	uint32_t written; /* the raw version of the file */
	uint32_t records;
	uint32_t mixed; /* the index of the first record of the second layout, or 0 */
};
extern const struct vector vectors[], vectors_end[];
extern const struct vector mixtures[], mixtures_end[];
extern const struct vector doubtful[1];

/* @image as @vector has it; returns what bareprof_image_init() says. */
int set_up(struct bareprof_image *image, const struct vector *vector);
/* The same, but declaring nothing or something else. */
int set_up_as(struct bareprof_image *image, const struct vector *vector, uint64_t declared);

/* Offsets within a record, written down from LLVM's definition of each version (formats of 64 and 32 bits). */
struct shape {
	uint32_t version;
	uint32_t size, end, counters, sites, kinds, bitmap_ptr, bitmap, header;
};
const struct shape *shape_of(uint32_t version);

/*
 * Whether the @n bytes at @file are a .profraw that a reader can follow;
 * written for the tests, sharing nothing with the runtime. NULL, or what is
 * wrong.
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
