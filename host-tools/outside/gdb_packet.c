/* SPDX-License-Identifier: BSD-2-Clause */
/* gdb_packet.c - sends and receives packets of gdb's remote serial protocol. */
#include "gdb_packet.h"

#include <inttypes.h>
#include <stdlib.h>

/* Number of times that a damaged packet is sent again. */
#define TRIES 3
/* Bytes between packets that are dropped, such as text of a console on the same line. */
#define NOISE_MAX 65536u
/* The most bytes that may arrive after a request. They can be console output, notifications, and damaged packets. */
#define ARRIVED_MAX (4 * GDB_PACKET_MAX)

static enum status broken(struct error *error, const char *what)
{
	return error_set(error, STATUS_INVALID_INPUT, "does not speak gdb's remote protocol: %s", what);
}

static enum status send_text(struct gdb_packets *packets, const char *text, struct error *error)
{
	return channel_send(
		&packets->channel, (struct bytes){(const uint8_t *)text, strlen(text)}, packets->seconds, error);
}

static enum status send_packet(struct gdb_packets *packets, const char *request, struct error *error)
{
	unsigned int sum = 0;
	enum status status;
	const char *at;
	char *packet;

	for (at = request; *at; at++)
		sum += (unsigned char)*at;
	packet = format("$%s#%02x", request, sum & 0xff);
	packets->arrived = 0;
	status = send_text(packets, packet, error);
	free(packet);
	return status;
}

/* Receives the next byte. */
static enum status next_byte(struct gdb_packets *packets, uint8_t *byte, struct error *error)
{
	if (packets->arrived++ >= ARRIVED_MAX)
		return broken(error, "it sends data without an end, but no answer");
	return channel_next(&packets->channel, byte, packets->seconds, error) ? STATUS_OK : STATUS_SYSTEM;
}

/* Appends @count copies of the last byte of @answer. */
static enum status repeat(struct buffer *answer, uint8_t code, struct error *error)
{
	size_t count = (size_t)code - 29;

	if (code < 32 || code > 126 || !answer->size)
		return broken(error, "a run length is out of range");
	buffer_reserve(answer, count);
	memset(answer->data + answer->size, answer->data[answer->size - 1], count);
	answer->size += count;
	return STATUS_OK;
}

/* Receives the data of a packet up to #, into packets->answer. Sets *@sum to the sum of its bytes. */
static enum status receive_data(struct gdb_packets *packets, uint8_t *sum, struct error *error)
{
	enum status status = STATUS_OK;
	bool escaped = false;
	bool run = false;
	size_t bytes;
	uint8_t byte;

	packets->answer.size = 0;
	*sum = 0;
	for (bytes = 0; status == STATUS_OK; bytes++) {
		status = next_byte(packets, &byte, error);
		if (status != STATUS_OK)
			return status;
		if (bytes > GDB_PACKET_MAX)
			return broken(error, "a packet does not end");
		if (byte == '#' && !escaped && !run)
			return STATUS_OK;
		if (byte == '$' && !escaped && !run) {
			/* The end of the packet before was lost. */
			packets->answer.size = 0;
			*sum = 0;
			continue;
		}
		*sum = (uint8_t)(*sum + byte);
		if (run) {
			status = repeat(&packets->answer, byte, error);
			run = false;
		} else if (escaped) {
			buffer_add(&packets->answer, &(uint8_t){byte ^ 0x20}, 1);
			escaped = false;
		} else if (byte == '}') {
			escaped = true;
		} else if (byte == '*') {
			run = true;
		} else {
			buffer_add(&packets->answer, &byte, 1);
		}
	}
	return status;
}

/* Receives a packet whose first byte, $, was taken. Sets *@sound to whether its checksum is right. */
static enum status receive_rest(struct gdb_packets *packets, bool *sound, struct error *error)
{
	unsigned int digits[2];
	enum status status;
	uint8_t byte;
	uint8_t sum;
	int i;

	status = receive_data(packets, &sum, error);
	if (status != STATUS_OK)
		return status;
	for (i = 0; i < 2; i++) {
		status = next_byte(packets, &byte, error);
		if (status != STATUS_OK)
			return status;
		digits[i] = digit_value(byte);
	}
	*sound = digits[0] < 16 && digits[1] < 16 && digits[0] * 16 + digits[1] == sum;
	return STATUS_OK;
}

/* Waits for the acknowledgement of a packet. Sets *@again if the stub wants the packet again. */
static enum status acknowledged(struct gdb_packets *packets, bool *again, struct error *error)
{
	bool sound;
	unsigned int noise;
	uint8_t byte;

	*again = false;
	for (noise = 0; noise < NOISE_MAX; noise++) {
		enum status status = next_byte(packets, &byte, error);

		if (status != STATUS_OK)
			return status;
		if (byte == '+')
			return STATUS_OK;
		if (byte == '-') {
			*again = true;
			return STATUS_OK;
		}
		/* QEMU tells that it has stopped the machine for the debugger. Nobody asked for this packet. */
		if (byte == '$') {
			status = receive_rest(packets, &sound, error);
			if (status == STATUS_OK)
				status = send_text(packets, "+", error);
			if (status != STATUS_OK)
				return status;
		}
	}
	return broken(error, "it did not acknowledge a packet");
}

enum status gdb_tell(struct gdb_packets *packets, const char *request, struct error *error)
{
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		enum status status = send_packet(packets, request, error);
		bool again = false;

		if (status == STATUS_OK && !packets->quiet)
			status = acknowledged(packets, &again, error);
		if (status != STATUS_OK || !again)
			return status;
	}
	return broken(error, "it refused the same packet three times");
}

/* Receives the next packet. */
static enum status receive(struct gdb_packets *packets, bool *sound, struct error *error)
{
	unsigned int noise = 0;
	uint8_t byte;

	for (;;) {
		enum status status = next_byte(packets, &byte, error);

		if (status != STATUS_OK)
			return status;
		if (noise++ > NOISE_MAX)
			return broken(error, "its answer has no packet");
		if (byte == '$')
			return receive_rest(packets, sound, error);
		/* A notification, such as %Stop:..., has no acknowledgement, and nobody asked for it. */
		if (byte == '%') {
			status = receive_rest(packets, sound, error);
			if (status != STATUS_OK)
				return status;
		}
	}
}

enum status gdb_answer(struct gdb_packets *packets, struct error *error)
{
	enum status status;
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		bool sound = false;

		status = receive(packets, &sound, error);
		if (status != STATUS_OK)
			return status;
		if (sound)
			return packets->quiet ? STATUS_OK : send_text(packets, "+", error);
		/* Without acknowledgements, a damaged packet is lost. */
		if (packets->quiet)
			return broken(error, "the checksum of an answer is wrong");
		status = send_text(packets, "-", error);
		if (status != STATUS_OK)
			return status;
	}
	return broken(error, "the checksum of an answer was wrong three times");
}

enum status gdb_ask(struct gdb_packets *packets, const char *request, struct error *error)
{
	enum status status = gdb_tell(packets, request, error);

	return status == STATUS_OK ? gdb_answer(packets, error) : status;
}

void gdb_packets_free(struct gdb_packets *packets)
{
	channel_close(&packets->channel);
	buffer_free(&packets->answer);
}
