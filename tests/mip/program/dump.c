/* SPDX-License-Identifier: BSD-2-Clause */
/* dump.c - writes the machine profile of this program as a .mipraw, and as lines of a log. It is not instrumented. */
#include <bareprof/mip.h>

#include <stdio.h>

BAREPROF_STATE;

int dump(const char *mipraw, const char *log);

static int put(void *context, const void *data, size_t size)
{
	return fwrite(data, 1, size, context) == size ? 0 : 1;
}

int dump(const char *mipraw, const char *log)
{
	static unsigned char file[4096];
	static unsigned char block[1024];
	static struct bareprof_image image;
	static struct bareprof_capture capture;
	struct bareprof_dump dumped;
	FILE *raw = fopen(mipraw, "wb");
	FILE *text = fopen(log, "wb");
	int error = bareprof_mip_image_self(&image);

	if (!raw || !text || error)
		return 3;
	bareprof_mip_open(&dumped, &image);
	bareprof_read(&dumped, 0, file, sizeof(file));
	fwrite(file, 1, dumped.size, raw);
	fprintf(text, "the console of a program\n");
	error = bareprof_capture_open(&capture, &image, 1, block, sizeof(block));
	if (!error)
		error = bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, text);
	return fclose(raw) | fclose(text) | error;
}
