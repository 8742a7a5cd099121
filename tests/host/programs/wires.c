/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wires.c - damages captures as consoles, channels and files do. It keeps a record of the block to which each byte of
 * the carrier (the bytes on the wire) belongs. This shows which blocks are damaged.
 */
#include "wires.h"
#include "make.h"

#include <bareprof/wire.h>
#include <string.h>

static size_t dice(struct wire *wire, size_t sides)
{
	return (size_t)(make_random(&wire->random) >> 8) % sides;
}

static void add_unit(struct wire *wire, unsigned int dump, size_t index)
{
	if (wire->count < UNITS_MAX)
		wire->unit[wire->count++] = (struct unit){.dump = dump, .index = index};
}

static void swap(struct wire *wire, size_t a, size_t b)
{
	struct unit unit = wire->unit[a];

	wire->unit[a] = wire->unit[b];
	wire->unit[b] = unit;
}

/*
 * Queues the blocks of one dump, or a random mixture of the blocks of both dumps. The blocks of
 * each dump stay in order.
 */
static void queue(struct wire *wire, bool both)
{
	size_t next[2] = {0, both ? 0 : wire->sent[1].count};

	wire->count = 0;
	while (next[0] < wire->sent[0].count || next[1] < wire->sent[1].count) {
		unsigned int s = next[0] == wire->sent[0].count   ? 1
		                 : next[1] == wire->sent[1].count ? 0
		                                                  : (unsigned int)dice(wire, 2);

		add_unit(wire, s, next[s]++);
	}
}

/* Applies the faults that concern whole blocks. */
static void arrange(struct wire *wire, unsigned int faults)
{
	size_t n;

	for (n = faults & DROP ? 1 + dice(wire, 4) : 0; n && wire->count > 1; n--) {
		size_t at = dice(wire, wire->count);

		memmove(&wire->unit[at], &wire->unit[at + 1], (--wire->count - at) * sizeof(*wire->unit));
	}
	for (n = faults & TWICE ? 1 + dice(wire, 9) : 0; n; n--) {
		struct unit unit = wire->unit[dice(wire, wire->count)];

		add_unit(wire, unit.dump, unit.index);
		swap(wire, wire->count - 1, dice(wire, wire->count));
	}
	if (!(faults & ORDER))
		return;
	/* Makes one to four random swaps of two blocks, or as many swaps as there are blocks. */
	for (n = dice(wire, 2) ? wire->count : 1 + dice(wire, 4); n; n--)
		swap(wire, n % wire->count, dice(wire, wire->count));
}

static void render(struct wire *wire)
{
	size_t i;

	wire->carrier.size = 0;
	if (wire->form == FILES) {
		/* The magic number of the file is a unit of its own, like each block. */
		memmove(wire->unit + 1, wire->unit, wire->count++ * sizeof(*wire->unit));
		wire->unit[0] = (struct unit){.index = SENT_BLOCKS_MAX, .to = BAREPROF_FILE_MAGIC_SIZE};
		buffer_add(&wire->carrier, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
	}
	for (i = wire->form == FILES; i < wire->count; i++) {
		const struct buffer *block = &wire->rendered[wire->form][wire->unit[i].dump][wire->unit[i].index];

		wire->unit[i].from = wire->carrier.size;
		buffer_add(&wire->carrier, block->data, block->size);
		wire->unit[i].to = wire->carrier.size;
	}
}

void wire_change(struct wire *wire, size_t at, size_t remove, struct bytes with)
{
	struct buffer *carrier = &wire->carrier;
	size_t tail = carrier->size - at - remove;
	size_t i;

	buffer_reserve(carrier, with.size);
	memmove(carrier->data + at + with.size, carrier->data + at + remove, tail);
	if (with.size)
		memcpy(carrier->data + at, with.data, with.size);
	carrier->size = at + with.size + tail;
	for (i = 0; i < wire->count; i++) {
		struct unit *unit = &wire->unit[i];

		unit->hurt |= unit->from < at + remove && unit->to > at;
		unit->hurt |= unit->from < at && unit->to > at;
		/*
		 * Bytes can be lost at the border of two units. If the last bytes of the first unit equal the first
		 * bytes of the second unit, the loss could be in either unit. So both units count as damaged.
		 */
		unit->hurt |= with.size != remove && unit->from <= at + remove && unit->to >= at;
		if (unit->from >= at + remove)
			unit->from += with.size - remove;
		if (unit->to >= at + remove && unit->to > at)
			unit->to += with.size - remove;
	}
}

static void cut(struct wire *wire)
{
	size_t at = dice(wire, wire->carrier.size);
	size_t n = 1 + dice(wire, dice(wire, 2) ? 4 : 200);

	if (!dice(wire, 4) || n > wire->carrier.size - at)
		n = wire->carrier.size - at;
	wire_change(wire, at, n, (struct bytes){NULL, 0});
}

static void noise(struct wire *wire)
{
	static const char *const lines[] = {"[   12.345678] link is up\r\n", "irq 9: nobody cared", "\r\n",
		"@bp:", "\x1b[31mlog\x1b[0m", "@bp:QUJD and more\n", "(XEN) @ A"};
	uint8_t bytes[40];
	struct bytes with = {bytes, 1 + dice(wire, sizeof(bytes))};
	size_t line = dice(wire, sizeof(lines) / sizeof(*lines) + 1);
	size_t i;

	for (i = 0; i < with.size; i++)
		bytes[i] = (uint8_t)make_random(&wire->random);
	if (line < sizeof(lines) / sizeof(*lines))
		with = (struct bytes){(const uint8_t *)lines[line], strlen(lines[line])};
	wire_change(wire, dice(wire, wire->carrier.size + 1), 0, with);
}

/* Flips up to 8 bits, either anywhere in the carrier or all near one another. */
static void flip(struct wire *wire)
{
	size_t first = dice(wire, wire->carrier.size);
	size_t n = 1 + dice(wire, 8);
	size_t reach = dice(wire, 2) ? 16 : wire->carrier.size;

	for (; n; n--) {
		size_t at = (first + dice(wire, reach)) % wire->carrier.size;
		uint8_t byte = wire->carrier.data[at] ^ (uint8_t)(1u << dice(wire, 8));

		wire_change(wire, at, 1, (struct bytes){&byte, 1});
	}
}

void wire_send(struct wire *wire, unsigned int faults, unsigned long seed)
{
	size_t n;

	wire->random = (seed + 1) * 0x9e3779b97f4a7c15ull;
	if (faults == ALL)
		faults = 1 + (unsigned int)dice(wire, ALL);
	queue(wire, faults & MIX);
	arrange(wire, faults);
	render(wire);
	for (n = faults & CUT ? 1 + dice(wire, 2) : 0; n && wire->carrier.size; n--)
		cut(wire);
	for (n = faults & NOISE ? 1 + dice(wire, 5) : 0; n; n--)
		noise(wire);
	if (faults & FLIP && wire->carrier.size)
		flip(wire);
}

void wire_queue(struct wire *wire, bool both)
{
	queue(wire, both);
	render(wire);
}

void wire_start(struct wire *wire, const struct sent *sent)
{
	struct buffer block = {0};
	unsigned int s;
	size_t i;

	memset(wire, 0, sizeof(*wire));
	wire->random = 1;
	wire->sent = sent;
	for (s = 0; s < 2; s++) {
		for (i = 0; i < sent[s].count; i++) {
			block.size = 0;
			block_write(&block, &sent[s].block[i]);
			buffer_add(&wire->rendered[FILES][s][i], block.data, block.size);
			make_text(&wire->rendered[TEXT][s][i], &block, "", "\r\n");
			make_frame(&wire->rendered[FRAMES][s][i], &block);
		}
	}
	buffer_free(&block);
}

void wire_free(struct wire *wire)
{
	unsigned int s;
	size_t f;
	size_t i;

	buffer_free(&wire->carrier);
	for (f = 0; f < FORMS; f++)
		for (s = 0; s < 2; s++)
			for (i = 0; i < wire->sent[s].count; i++)
				buffer_free(&wire->rendered[f][s][i]);
}
