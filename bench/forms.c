/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forms.c - writes the profile of a program as a .profraw, and as captures in three forms: file, frames and text.
 * bench/capture.sh links this file into each program that it measures. When the program ends, the code in forms.c calls
 * bareprof's runtime and writes four files: the .profraw and the three captures. The names of the files begin with
 * $FORMS. The code in forms.c is not instrumented, so all four files have the same counts.
 *
 * CONSOLE and CHANNEL are the sizes in bytes of the block buffers for text and frames.
 */
#include <bareprof/capture.h>

#include <stdio.h>
#include <stdlib.h>

#define ROOM  (64u << 20)
#define NONCE 0x0123456789abcdef

static struct bareprof_image image;
static struct bareprof_dump dump;
static struct bareprof_capture capture;
static unsigned char block[BAREPROF_BUFFER_MAX];

/* Ends the program with status 99, which none of the measured programs uses itself. */
static void stop(const char *form, const char *why)
{
	fprintf(stderr, "forms.c: %s: %s\n", form, why);
	_Exit(99);
}

static size_t check(const char *form, intptr_t n)
{
	if (n < 0)
		stop(form, bareprof_strerror(n));
	return (size_t)n;
}

static FILE *create(const char *form)
{
	char name[4096];
	FILE *file;

	snprintf(name, sizeof(name), "%s.%s", getenv("FORMS"), form);
	file = fopen(name, "wb");
	if (!file)
		stop(form, "the file cannot be created");
	return file;
}

static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) != n;
}

static void finish(const char *form, FILE *file)
{
	if (fclose(file))
		stop(form, "the file cannot be written");
}

static void save(const char *form, const void *data, size_t n)
{
	FILE *file = create(form);

	if (put(file, data, n))
		stop(form, "the file cannot be written");
	finish(form, file);
}

static void send(const char *form, bareprof_encoder as, size_t size)
{
	FILE *file = create(form);

	check(form, bareprof_capture_open(&capture, &image, NONCE, block, size));
	check(form, bareprof_send(&capture, block, size, as, put, file));
	finish(form, file);
}

__attribute__((destructor)) static void forms(void)
{
	unsigned char *room;

	if (!getenv("FORMS"))
		return;
	room = malloc(ROOM);
	if (!room)
		stop("profraw", "out of memory");
	check("image", bareprof_image_self(&image));
	save("profraw", room, check("profraw", bareprof_write(&dump, &image, room, ROOM)));
	check("capture", bareprof_capture_open(&capture, &image, NONCE, block, sizeof(block)));
	save("capture", room, check("capture", bareprof_capture_write(&capture, room, ROOM)));
	send("frames", bareprof_encode_frame, CHANNEL);
	send("text", bareprof_encode_text, CONSOLE);
	free(room);
}
