/* SPDX-License-Identifier: BSD-2-Clause */
/* memory_gdb.c - opens a session with a stub, reads and writes memory, and leaves the target as it was. */
#include "memory_gdb.h"
#include "gdb_packet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* How long to wait for an answer, in seconds. A probe with a slow adapter needs a while for a large packet. */
#define PATIENCE 10.0
/* How long to wait for the first answer. A target that runs may say nothing until it is interrupted. */
#define FIRST 2.0
/* How long to wait for an answer at the end, also after the user has interrupted bareprof. */
#define LEAVE 2.0
/* The size of packets if the stub names none, which all stubs take, and the largest that is used. */
#define PACKET_DEFAULT 400u
#define PACKET_LARGEST 65536u

struct stub {
	struct gdb_packets packets;
	size_t packet; /* the most bytes of a packet */
	bool running; /* the target was running before, as far as known */
	bool entered; /* the session has begun */
	bool physical; /* the stub now reads physical memory */
};

static struct stub *stub_of(struct memory *memory)
{
	return memory->state;
}

static bool answer_is(const struct stub *stub, const char *text)
{
	const struct buffer *answer = &stub->packets.answer;

	return answer->size == strlen(text) && !memcmp(answer->data, text, answer->size);
}

static bool answer_starts(const struct stub *stub, char c)
{
	return stub->packets.answer.size && stub->packets.answer.data[0] == c;
}

/* Interrupts a target that is running, and receives the reason why it stopped. */
static enum status interrupt(struct stub *stub, struct error *error)
{
	static const uint8_t control_c = 3;
	enum status status = channel_send(&stub->packets.channel, (struct bytes){&control_c, 1}, PATIENCE, error);

	stub->running = true;
	if (status == STATUS_OK)
		status = gdb_answer(&stub->packets, NULL, error);
	if (status == STATUS_SYSTEM)
		error_set(error, STATUS_SYSTEM,
			"does not answer as a stub of gdb: check the address, and that no other debugger is connected");
	return status;
}

/* Reads what the stub supports from its answer to qSupported. */
static void take_features(struct stub *stub, bool *no_acknowledgement)
{
	char *rest = NULL;
	char *copy = format("%s", buffer_string(&stub->packets.answer));
	char *word;

	stub->packet = PACKET_DEFAULT;
	*no_acknowledgement = false;
	for (word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
		if (starts_with(word, "PacketSize="))
			stub->packet = strtoul(word + strlen("PacketSize="), NULL, 16);
		else if (!strcmp(word, "QStartNoAckMode+"))
			*no_acknowledgement = true;
	}
	if (stub->packet < 32)
		stub->packet = PACKET_DEFAULT;
	if (stub->packet > PACKET_LARGEST)
		stub->packet = PACKET_LARGEST;
	free(copy);
}

/*
 * Asks QEMU's monitor for the state of the machine. QEMU stops a running machine when a debugger connects, and then
 * says "paused". A machine that had not started, or that ended, has other states. Other stubs know no such command.
 */
static enum status ask_qemu(struct stub *stub, bool *qemu, struct error *error)
{
	struct buffer text = {0};
	enum status status = gdb_ask(&stub->packets, "qRcmd,696e666f20737461747573", error);

	*qemu = false;
	while (status == STATUS_OK && answer_starts(stub, 'O') && !answer_is(stub, "OK")) {
		size_t i;

		for (i = 1; i + 1 < stub->packets.answer.size; i += 2) {
			char digits[3] = {
				(char)stub->packets.answer.data[i], (char)stub->packets.answer.data[i + 1], 0};
			uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);

			buffer_add(&text, &byte, 1);
		}
		if (text.size > GDB_PACKET_MAX)
			break;
		status = gdb_answer(&stub->packets, NULL, error);
	}
	if (status == STATUS_OK && strstr(buffer_string(&text), "VM status:")) {
		*qemu = true;
		stub->running = !strstr(buffer_string(&text), "(");
	}
	buffer_free(&text);
	return status;
}

/* Begins the session: what the stub supports, whether the target is stopped, and whether it was running before. */
static enum status enter(struct stub *stub, struct error *error)
{
	struct gdb_packets *packets = &stub->packets;
	bool no_acknowledgement;
	bool qemu;
	enum status status;

	packets->seconds = FIRST;
	status = channel_send(&packets->channel, (struct bytes){(const uint8_t *)"+", 1}, FIRST, error);
	if (status == STATUS_OK)
		status = gdb_ask(packets, "qSupported:swbreak+;hwbreak+", error);
	packets->seconds = PATIENCE;
	if (status == STATUS_SYSTEM) {
		status = interrupt(stub, error);
		if (status == STATUS_OK)
			status = gdb_ask(packets, "qSupported:swbreak+;hwbreak+", error);
	}
	if (status != STATUS_OK)
		return status;
	stub->entered = true;
	take_features(stub, &no_acknowledgement);
	if (no_acknowledgement) {
		status = gdb_ask(packets, "QStartNoAckMode", error);
		if (status != STATUS_OK)
			return status;
		packets->quiet = answer_is(stub, "OK");
	}
	status = gdb_ask(packets, "?", error);
	if (status != STATUS_OK)
		return status;
	if (answer_starts(stub, 'W') || answer_starts(stub, 'X'))
		return error_set(error, STATUS_INVALID_INPUT, "has no target: the program has ended");
	return ask_qemu(stub, &qemu, error);
}

static enum status open_stub(struct memory *memory, const char *where, struct error *error)
{
	struct stub *stub = allocate(1, sizeof(*stub));
	enum status status;

	memory->state = stub;
	status = channel_open(&stub->packets.channel, where, error);
	return status == STATUS_OK ? enter(stub, error) : status;
}

/* Lets QEMU's stub read physical or virtual memory. Other stubs have only one of the two. */
static enum status choose_space(struct stub *stub, enum memory_space space, struct error *error)
{
	bool physical = space == MEMORY_PHYSICAL;
	enum status status;

	if (stub->physical == physical)
		return STATUS_OK;
	status = gdb_ask(&stub->packets, physical ? "Qqemu.PhyMemMode:1" : "Qqemu.PhyMemMode:0", error);
	if (status != STATUS_OK)
		return status;
	if (!answer_is(stub, "OK"))
		return error_set(error, STATUS_INVALID_INPUT,
			"cannot read physical memory: only QEMU's stub can; use --from qmp: or a dump of the memory");
	stub->physical = physical;
	return STATUS_OK;
}

static int nibble(uint8_t c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Stores the bytes whose hexadecimal digits are in the answer. *@got is their number, at most @size. */
static enum status take_hex(const struct stub *stub, uint8_t *to, size_t size, size_t *got, struct error *error)
{
	const struct buffer *answer = &stub->packets.answer;
	size_t i;

	if (answer->size % 2 || answer->size / 2 > size)
		return error_set(error, STATUS_INVALID_INPUT,
			"does not speak gdb's remote protocol: it answered a request for %zu bytes with %zu digits",
			size, answer->size);
	for (i = 0; i < answer->size / 2; i++) {
		int high = nibble(answer->data[2 * i]);
		int low = nibble(answer->data[2 * i + 1]);

		if (high < 0 || low < 0)
			return error_set(error, STATUS_INVALID_INPUT,
				"does not speak gdb's remote protocol: the content of memory is not hexadecimal");
		to[i] = (uint8_t)(high * 16 + low);
	}
	*got = i;
	return STATUS_OK;
}

static enum status not_there(struct error *error, const char *what, uint64_t address, size_t size)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"cannot %s the %zu bytes at 0x%" PRIx64
		": the target has no memory there, or the CPU that the stub uses "
		"does not map it now",
		what, size, address);
}

static enum status read_stub(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	struct stub *stub = stub_of(memory);
	enum status status = choose_space(stub, space, error);
	/* The answer has two digits for each byte, and 4 bytes around it. */
	size_t window = (stub->packet - 4) / 2;
	uint8_t *at = to;

	while (status == STATUS_OK && size) {
		size_t part = size < window ? size : window;
		size_t got = 0;
		char request[48];

		snprintf(request, sizeof(request), "m%" PRIx64 ",%zx", address, part);
		status = gdb_ask(&stub->packets, request, error);
		if (status != STATUS_OK)
			return status;
		/* An error is E and two digits; memory has an even number of digits. */
		if (answer_starts(stub, 'E') && stub->packets.answer.size % 2)
			return not_there(error, "read", address, part);
		status = take_hex(stub, at, part, &got, error);
		if (status == STATUS_OK && !got)
			return not_there(error, "read", address, part);
		at += got;
		address += got;
		size -= got;
	}
	return status;
}

static enum status write_stub(struct memory *memory, enum memory_space space, uint64_t address, const void *from,
	size_t size, struct error *error)
{
	struct stub *stub = stub_of(memory);
	enum status status = choose_space(stub, space, error);
	size_t window = (stub->packet - 48) / 2;
	const uint8_t *at = from;

	while (status == STATUS_OK && size) {
		size_t part = size < window ? size : window;
		struct buffer request = {0};

		buffer_printf(&request, "M%" PRIx64 ",%zx:", address, part);
		buffer_add_hex(&request, (struct bytes){at, part});
		status = gdb_ask(&stub->packets, buffer_string(&request), error);
		buffer_free(&request);
		if (status == STATUS_OK && !answer_is(stub, "OK"))
			return not_there(error, "write", address, part);
		at += part;
		address += part;
		size -= part;
	}
	return status;
}

/* A target that was running runs on after D. A target that was stopped stays stopped if the connection just ends. */
static enum status close_stub(struct memory *memory, struct error *error)
{
	struct stub *stub = stub_of(memory);
	bool runs = memory->leave == LEAVE_RUNNING || (memory->leave == LEAVE_AS_FOUND && stub && stub->running);
	enum status status = STATUS_OK;

	if (!stub)
		return STATUS_OK;
	if (stub->entered) {
		stub->packets.channel.ends = true;
		stub->packets.seconds = LEAVE;
		status = choose_space(stub, MEMORY_VIRTUAL, error);
		if (runs)
			status = gdb_ask(&stub->packets, "D", error);
	}
	gdb_packets_free(&stub->packets);
	free(stub);
	memory->state = NULL;
	return status;
}

const struct memory_source memory_gdb = {
	.name = "gdb",
	.form = "gdb:HOST:PORT, gdb:unix:PATH, gdb:tty:DEVICE, gdb:|COMMAND",
	.open = open_stub,
	.read = read_stub,
	.write = write_stub,
	.close = close_stub,
};
