/* SPDX-License-Identifier: BSD-2-Clause */
/* memory_gdb.c - opens a session with a stub, reads memory, and leaves the target as it was. */
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
/* A request to write has at most this many characters around the content, with the checksum. */
#define REQUEST 32u
/* A stub that names a smaller size cannot mean it. */
#define PACKET_LEAST 64u
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
		status = gdb_answer(&stub->packets, error);
	if (status == STATUS_SYSTEM && !stub->packets.channel.ended)
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
	if (stub->packet < PACKET_LEAST)
		stub->packet = PACKET_DEFAULT;
	if (stub->packet > PACKET_LARGEST)
		stub->packet = PACKET_LARGEST;
	free(copy);
}

/* Appends the bytes whose hexadecimal digits are in @digits. Returns false if @digits has something else. */
static bool add_hex(struct buffer *out, struct bytes digits)
{
	size_t i;

	buffer_reserve(out, digits.size / 2);
	for (i = 0; i + 1 < digits.size; i += 2) {
		unsigned int high = digit_value(digits.data[i]);
		unsigned int low = digit_value(digits.data[i + 1]);

		if (high > 15 || low > 15)
			return false;
		out->data[out->size++] = (uint8_t)(high * 16 + low);
	}
	return digits.size % 2 == 0;
}

/*
 * Asks QEMU's monitor for the state of the machine. QEMU stops a running machine when a debugger connects, and then
 * says "paused". A machine that had not started, or that ended, has other states. Other stubs know no such command.
 */
static enum status ask_qemu(struct stub *stub, struct error *error)
{
	struct buffer text = {0};
	enum status status = gdb_ask(&stub->packets, "qRcmd,696e666f20737461747573", error);

	while (status == STATUS_OK && answer_starts(stub, 'O') && !answer_is(stub, "OK") &&
		text.size <= GDB_PACKET_MAX) {
		const struct buffer *answer = &stub->packets.answer;

		add_hex(&text, (struct bytes){answer->data + 1, answer->size - 1});
		status = gdb_answer(&stub->packets, error);
	}
	if (status == STATUS_OK && strstr(buffer_string(&text), "VM status:"))
		stub->running = !strchr(buffer_string(&text), '(');
	buffer_free(&text);
	return status;
}

/* Begins the session: what the stub supports, whether the target is stopped, and whether it was running before. */
static enum status enter(struct stub *stub, struct error *error)
{
	struct gdb_packets *packets = &stub->packets;
	bool no_acknowledgement;
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
	return ask_qemu(stub, error);
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

static enum status not_there(struct error *error, const char *verb, uint64_t address, size_t size)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"cannot %s the %zu bytes at 0x%" PRIx64
		": the target has no memory there, or the CPU that the stub uses does not map it now",
		verb, size, address);
}

/* Reads at most @size bytes with one request, and appends them to @out. */
static enum status read_part(struct stub *stub, uint64_t address, size_t size, struct buffer *out, struct error *error)
{
	const struct buffer *answer = &stub->packets.answer;
	char request[48];
	enum status status;

	snprintf(request, sizeof(request), "m%" PRIx64 ",%zx", address, size);
	status = gdb_ask(&stub->packets, request, error);
	if (status != STATUS_OK)
		return status;
	/* An error is E and two digits; memory has an even number of digits. */
	if (!answer->size || (answer_starts(stub, 'E') && answer->size % 2))
		return not_there(error, "read", address, size);
	if (answer->size % 2 || answer->size / 2 > size)
		return error_set(error, STATUS_INVALID_INPUT,
			"does not speak gdb's remote protocol: it answered a request for %zu bytes with %zu digits",
			size, answer->size);
	if (add_hex(out, (struct bytes){answer->data, answer->size}))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"does not speak gdb's remote protocol: the content of memory is not hexadecimal");
}

static enum status read_stub(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	struct stub *stub = stub_of(memory);
	enum status status = choose_space(stub, space, error);
	/* The answer has two digits for each byte, and 4 bytes around it. */
	size_t window = (stub->packet - 4) / 2;
	struct buffer content = {0};

	while (status == STATUS_OK && content.size < size) {
		size_t left = size - content.size;

		status = read_part(stub, address + content.size, left < window ? left : window, &content, error);
	}
	if (status == STATUS_OK)
		memcpy(to, content.data, size);
	buffer_free(&content);
	return status;
}

static enum status write_stub(struct memory *memory, enum memory_space space, uint64_t address, const void *from,
	size_t size, struct error *error)
{
	struct stub *stub = stub_of(memory);
	enum status status = choose_space(stub, space, error);
	size_t window = (stub->packet - REQUEST) / 2;
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
	enum status status = STATUS_OK;

	if (!stub)
		return STATUS_OK;
	if (stub->entered) {
		stub->packets.channel.ends = true;
		stub->packets.seconds = LEAVE;
		status = choose_space(stub, MEMORY_VIRTUAL, error);
		if (memory_runs_on(memory, stub->running))
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
