/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_dump.c - writes the .mipraw of a body to file descriptor 3, with bareprof's runtime. */
#include "bareprof.h"

#include "body.h"

#ifdef BAREPROF_MIP_CALLS_MODE
BAREPROF_STATE;
#endif

int body_dump(void)
{
	static struct bareprof_image image;
	static struct bareprof_dump dump;
	static unsigned char window[700];
	size_t at = 0, n;

	if (bareprof_mip_image_self(&image))
		return 10;
	bareprof_mip_open(&dump, &image);
	while (at < dump.size) {
		n = (size_t)bareprof_read(&dump, at, window, sizeof(window));
		if (!n || n > sizeof(window) || body_write(3, window, n))
			return 11;
		at += n;
	}
	return 0;
}
