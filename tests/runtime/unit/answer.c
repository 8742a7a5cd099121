/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * answer.c - passes right, damaged and random requests to bareprof_answer(). Only a request whose check is right may
 * bring blocks, and these must be the blocks that bareprof_block() makes.
 */
#include <bareprof/capture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTERS 400u
#define SIZE     192u

static uint64_t counters[COUNTERS];
static struct bareprof_image image;
static struct bareprof_capture capture;
static uint8_t buffer[SIZE];
static uint8_t sent[1u << 20];
static size_t sent_size;
static size_t limit; /* the sink refuses more bytes than this */
static int failed;

static void check(int good, const char *what)
{
	printf("%s - %s: a request\n", good ? "ok" : "not ok", what);
	failed |= !good;
}

static int sink(void *context, const void *data, size_t n)
{
	if (context != &sent_size || n > limit - sent_size)
		return 1;
	memcpy(sent + sent_size, data, n);
	sent_size += n;
	return 0;
}

static int answer(const char *request)
{
	sent_size = 0;
	return bareprof_answer(&capture, request, buffer, sizeof(buffer), bareprof_encode_file, sink, &sent_size);
}

/* Puts the request for @list into @request. */
static const char *request_for(char *request, const char *list)
{
	sprintf(request, "%s.%u", list, bareprof_crc32c(capture.tag, list, strlen(list)));
	return request;
}

/* Returns whether the blocks that were sent are those of the zero-terminated @indices. Block 0 may only be the first. */
static int sent_are(const uint32_t *indices)
{
	size_t at = 0;

	do {
		uint8_t block[SIZE];
		intptr_t n = bareprof_block(&capture, *indices, block, sizeof(block));

		/* Before BEGIN, the encoder puts the 8 bytes at the start of a capture file. */
		at += *indices ? 0 : 8;
		if (n < 0 || at + (size_t)n > sent_size || memcmp(sent + at, block, (size_t)n))
			return 0;
		at += (size_t)n;
	} while (*++indices);
	return at == sent_size;
}

static void damaged(void)
{
	char right[80];
	unsigned int at;
	unsigned int byte;
	unsigned int wrong = 0;

	request_for(right, "3,7-9");
	for (at = 0; at < strlen(right); at++) {
		for (byte = 0; byte < 256; byte++) {
			char request[80];

			strcpy(request, right);
			if ((char)byte == request[at])
				continue;
			request[at] = (char)byte;
			wrong += answer(request) != BAREPROF_E_ARGUMENT || sent_size;
		}
	}
	check(!wrong, "any damage to one byte is noticed");
	for (wrong = 0, at = 0; at < strlen(right); at++) {
		char request[80];

		strcpy(request, right);
		request[at] = '\0';
		wrong += answer(request) != BAREPROF_E_ARGUMENT || sent_size;
	}
	check(!wrong, "a request that is cut is noticed");
}

/* Random lists with a right check. They may have any bytes, and end at once or with an error. */
static void hostile(void)
{
	static const char characters[] = "0123456789-,-,xX \xff\x80";
	unsigned int wrong = 0;
	unsigned int i;

	srand(1);
	for (i = 0; i < 20000; i++) {
		char list[24] = "";
		char request[80];
		size_t n = (size_t)rand() % (sizeof(list) - 1);
		int error;

		while (n--)
			list[n] = characters[(size_t)rand() % (sizeof(characters) - 1)];
		error = answer(request_for(request, list));
		wrong += error && error != BAREPROF_E_ARGUMENT && error != BAREPROF_E_SINK;
	}
	check(!wrong, "any list with a right check ends");
}

int main(void)
{
	static const uint32_t four[] = {3, 7, 8, 9, 0};
	static const uint32_t first[] = {0, 1, 2, 0};
	char request[80];
	uint32_t i;

	for (i = 0; i < COUNTERS; i++)
		counters[i] = i + 1;
	image.version = 10;
	image.shift = 3;
	image.live = &image;
	image.section[BAREPROF_CNTS].start = counters;
	image.section[BAREPROF_CNTS].size = sizeof(counters);
	limit = sizeof(sent);
	if (bareprof_capture_open(&capture, &image, 1, buffer, sizeof(buffer)))
		return 3;
	check(!answer(request_for(request, "3,7-9")) && sent_are(four), "brings the blocks of its list");
	check(!answer(strcat(request, "\r and more")) && sent_are(four), "text may follow");
	check(!answer(request_for(request, "0-2")) && sent_are(first), "brings BEGIN");
	check(answer(request_for(request, "0-4294967295")) == BAREPROF_E_ARGUMENT && sent_size > sizeof(counters) / 8,
		"the blocks after the last block do not exist");
	check(answer(request_for(request, "9-7")) == BAREPROF_OK && !sent_size, "a range that goes backwards is empty");
	check(answer("") == BAREPROF_E_ARGUMENT && answer("3,7-9") == BAREPROF_E_ARGUMENT &&
			answer("3.") == BAREPROF_E_ARGUMENT,
		"a request without a check is refused");
	damaged();
	hostile();
	request_for(request, "3,7-9");
	limit = 10;
	check(answer(request) == BAREPROF_E_SINK, "a sink that refuses ends the answer");
	limit = sizeof(sent);
	check(bareprof_answer(&capture, request, buffer, 20, bareprof_encode_file, sink, &sent_size) ==
			BAREPROF_E_NO_SPACE,
		"a buffer that is too small is refused");
	capture.tag++;
	check(answer(request) == BAREPROF_E_ARGUMENT && !sent_size, "for another dump is refused");
	capture.tag--;
	image.generation++;
	check(answer(request) == BAREPROF_E_STALE && !sent_size, "after a reset is refused");
	return failed;
}
