/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profraw_write.c - puts the whole .profraw into one buffer.
 */
#include <bareprof/bareprof.h>

intptr_t bareprof_write(struct bareprof_dump *dump, const struct bareprof_image *image, void *buf, size_t n)
{
	int error = bareprof_open(dump, image);

	if (error)
		return error;
	if (n < dump->size)
		return BAREPROF_E_NO_SPACE;
	return bareprof_read(dump, 0, buf, dump->size);
}
