/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.c - simulates a serial connection: damaged bytes, a UART that receives at a wrong rate, and the time that a byte
 * needs to arrive.
 */
#include "wire.h"
#include "make.h"
#include "clock.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void wire_hurt(struct buffer *out, struct bytes line, uint64_t *random)
{
	static const char log[] = "[   12.345678] irq 9: nobody cared\r\n";
	const uint8_t *p = line.data;
	size_t n = line.size;
	/*
	 * The size without the two bytes of CR LF. If the line end is a single byte, @body also lacks the last
	 * character of the line.
	 */
	size_t body = n - 2;
	size_t at = make_random(random) % body;
	size_t run = 1 + make_random(random) % 16;
	unsigned int kind = (unsigned int)(make_random(random) % 10);
	uint8_t byte = p[at];

	if (run > body - at)
		run = body - at;
	switch (kind) {
	case 0: /* one bit flips */
		byte ^= (uint8_t)(1u << make_random(random) % 8);
		break;
	case 1: /* one byte is replaced */
		byte = (uint8_t)make_random(random);
		break;
	case 9: /* the line end is lost, so the next line is appended to this line */
		buffer_add(out, p, body - (p[body - 1] == '\r'));
		return;
	default:
		break;
	}
	if (kind == 6) /* the whole line is lost */
		return;
	buffer_add(out, p, at);
	switch (kind) {
	case 2: /* one byte is lost */
		break;
	case 3: /* one byte arrives twice */
		buffer_add(out, &byte, 1);
		buffer_add(out, &byte, 1);
		break;
	case 4: /* several bytes are lost, as if the queue of a UART had overflowed */
		at += run - 1;
		break;
	case 5: /* the line is cut and has no line end, so the next line continues it */
		return;
	case 7: /* a line of the log appears in the middle of the line */
		buffer_add(out, log, sizeof(log) - 1);
		buffer_add(out, &byte, 1);
		break;
	case 8: /* a zero byte is added */
		buffer_add(out, "", 1);
		buffer_add(out, &byte, 1);
		break;
	default:
		buffer_add(out, &byte, 1);
	}
	buffer_add(out, p + at + 1, n - at - 1);
}

/*
 * Returns true if the level of the line is high at @time. The time is counted in bits of the sender, from the start of
 * the bytes @sent.
 */
static bool level(struct bytes sent, double time)
{
	size_t bit = (size_t)time;
	unsigned int in = (unsigned int)(bit % 10);

	if (bit / 10 >= sent.size || in == 9)
		return true;
	return in && (sent.data[bit / 10] >> (in - 1) & 1);
}

/* Returns the first multiple of @step after @time at which the level of the line may have changed. */
static double next_bit(double time, double step)
{
	size_t steps = (size_t)((double)((size_t)time + 1) / step) + 1;
	double next = (double)steps * step;

	return next > time ? next : time + step;
}

void wire_resample(struct buffer *out, struct bytes sent, double from, double to, bool zero)
{
	/* The duration of a bit at the receiver's rate. The unit is the duration of a bit at the sender's rate. */
	const double bit = from / to;
	const double step = bit / 16; /* a UART looks for a start bit 16 times in the duration of a bit */
	const double end = (double)sent.size * 10;
	double at = 0;

	while (at < end) {
		uint8_t byte = 0;
		unsigned int i;

		if (level(sent, at)) {
			at = next_bit(at, step);
			continue;
		}
		if (level(sent, at + bit / 2)) {
			at += step;
			continue;
		}
		for (i = 0; i < 8; i++)
			byte |= (uint8_t)(level(sent, at + bit * (1.5 + i)) << i);
		at += bit * 9.5;
		if (!level(sent, at) && zero)
			byte = 0;
		buffer_add(out, &byte, 1);
		/* After a break, the level must be high before a new start bit counts. */
		while (at < end && !level(sent, at))
			at = next_bit(at, step);
	}
}

void wire_pause(double seconds)
{
	struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&time, NULL);
}

double wire_say(int fd, struct bytes bytes, double baud, bool (*over)(void *context), void *context)
{
	/* If a baud rate is given, each write is small, like a write from the queue of a UART. */
	const size_t step = baud > 0 ? 64 : 16384;
	const double start = seconds_now();
	size_t at = 0;

	while (at < bytes.size) {
		size_t piece = bytes.size - at < step ? bytes.size - at : step;
		/*
		 * The time at which the last bit of this piece has been sent. It is computed from the start of the
		 * transmission, so that delays do not add up.
		 */
		double due = baud > 0 ? start + (double)(at + piece) * 10 / baud : 0;
		double wait = due - seconds_now();
		ssize_t n;

		if (wait > 0)
			wire_pause(wait);
		n = write(fd, bytes.data + at, piece);
		if (n < 0 && ((errno != EAGAIN && errno != EINTR) || over(context)))
			break;
		if (n < 0)
			wire_pause(0.001);
		else
			at += (size_t)n;
	}
	return seconds_now() - start;
}
