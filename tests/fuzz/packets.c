/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packets.c - fuzzes what a stub of gdb and a monitor of QEMU answer. The first byte of an input says which of the two
 * answers, and whether the monitor writes its file. The other bytes are all that arrives; then the connection ends. The
 * functions of child.h and source.h that a channel needs are in this file, so that no program has to run.
 */
#include "channel.h"
#include "fuzz.h"
#include "memory_gdb.h"
#include "memory_qmp.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define IS_MONITOR 1u
#define HAS_FILE   2u

/* All answers of the input that is tried now. */
static struct bytes answers;

/* The requests go nowhere, and the answers are a file in memory, which ends as a closed connection does. */
enum status child_start(struct child *child, char *const *words, int pipes, struct error *error)
{
	(void)words, (void)pipes, (void)error;
	*child = (struct child){.pid = -1, .in = open("/dev/null", O_WRONLY), .out = memfd_create("answers", 0)};
	must(child->in >= 0 && pwrite(child->out, answers.data, answers.size, 0) == (ssize_t)answers.size,
		"there is room for a file in memory");
	return STATUS_OK;
}

int child_stop(struct child *child)
{
	close(child->in);
	close(child->out);
	return 0;
}

int caught_signal(void)
{
	return 0;
}

bool source_is_live(const char *name)
{
	return !name;
}

enum status source_open(struct source *source, const char *name, struct error *error)
{
	(void)source;
	return error_set(error, STATUS_USAGE, "no source %s", name);
}

void source_close(struct source *source)
{
	(void)source;
}

static char folder[] = "/tmp/bareprof.fuzz.XXXXXX";
static char saved[sizeof(folder) + 8];

static void remove_folder(void)
{
	unlink(saved);
	rmdir(folder);
}

enum status temporary_folder(char **path, struct error *error)
{
	static bool created;

	(void)error;
	if (!created) {
		must(mkdtemp(folder), "there is room for a temporary folder");
		snprintf(saved, sizeof(saved), "%s/memory", folder);
		atexit(remove_folder);
		created = true;
	}
	*path = format("%s", folder);
	return STATUS_OK;
}

void temporary_remove(const char *path)
{
	must(!strcmp(path, folder), "the folder is the one that was created");
}

/* Writes a file as memsave does, with bytes that depend on their offset. */
static void save(size_t size)
{
	FILE *file = fopen(saved, "w");
	size_t i;

	must(file, "a temporary file is written");
	for (i = 0; i < size; i++)
		fputc((int)(i * 7 & 0xff), file);
	fclose(file);
}

static void read_some(struct memory *memory, unsigned int options)
{
	static const size_t sizes[] = {8, 1, 700, 5000, 16};
	struct error error;
	size_t i;
	size_t n;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		enum memory_space space = i == 3 ? MEMORY_PHYSICAL : MEMORY_VIRTUAL;
		uint8_t *to = allocate(1, sizes[i]);
		enum status status;

		error.text[0] = '\0';
		if (options & IS_MONITOR && options & HAS_FILE)
			save(sizes[i] - (i == 1));
		status = memory_read(memory, space, 0xffffffff81000000 + i, to, sizes[i], &error);
		must(status == STATUS_OK || error.text[0], "a refusal has a reason");
		for (n = 0; n < sizes[i] && status == STATUS_OK && options & IS_MONITOR; n++)
			must(to[n] == (n * 7 & 0xff), "what is read is what was saved");
		if (status == STATUS_OK && memory_can_write(memory))
			memory_write(memory, space, 0x1000, to, sizes[i], &error);
		free(to);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int options = size ? *data : 0;
	const struct memory_source *source = options & IS_MONITOR ? &memory_qmp : &memory_gdb;
	struct memory memory = {.source = source, .name = format("fuzz")};
	struct error error = {""};
	enum status status;

	answers = (struct bytes){data + (size ? 1 : 0), size ? size - 1 : 0};
	/* A name with a colon and without a slash is no path of a socket. */
	status = source->open(&memory, "|:", &error);
	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	if (status == STATUS_OK)
		status = memory_stop(&memory, &error);
	if (status == STATUS_OK)
		read_some(&memory, options);
	memory_close(&memory, &error);
	return 0;
}

/* Finds a packet at or after offset @from. Sets *@start and *@end to the bounds of its data. */
static bool find_packet(const uint8_t *data, size_t size, size_t from, size_t *start, size_t *end)
{
	const uint8_t *dollar = memchr(data + from, '$', size - from);
	const uint8_t *hash = dollar ? memchr(dollar, '#', size - (size_t)(dollar - data)) : NULL;

	if (!hash || hash + 3 > data + size)
		return false;
	*start = (size_t)(dollar + 1 - data);
	*end = (size_t)(hash - data);
	return true;
}

/* Appends a packet with a right checksum, and an acknowledgement. */
static void add_packet(struct buffer *out, struct bytes content)
{
	unsigned int sum = 0;
	size_t i;

	for (i = 0; i < content.size; i++)
		sum += content.data[i];
	buffer_add_text(out, "$");
	buffer_add(out, content.data, content.size);
	buffer_printf(out, "#%02x+", sum & 0xff);
}

/* Changes, removes, doubles or adds a packet. */
static size_t change_packets(uint8_t *data, size_t size, size_t most, struct dice *dice)
{
	static const char *const known[] = {"OK", "", "E01", "T05thread:01;", "W00", "PacketSize=40;QStartNoAckMode+",
		"PacketSize=ffffffffffffffff", "0011223344556677", "00", "0*~0*~", "O", "O2873", "Q}\x03"};
	enum {
		CHANGE,
		REMOVE,
		DOUBLE,
		ADD
	} way = (unsigned int)dice_throw(dice, 4);
	struct buffer packet = {0};
	struct buffer out = {0};
	size_t start;
	size_t end;
	size_t rest;

	if (!find_packet(data, size, dice_throw(dice, size), &start, &end))
		return LLVMFuzzerMutate(data, size, most);
	if (way == CHANGE)
		packet = dice_bytes((struct bytes){data + start, end - start}, end - start + 64);
	else if (way == DOUBLE)
		buffer_add(&packet, data + start, end - start);
	else if (way == ADD)
		buffer_add_text(&packet, known[dice_throw(dice, sizeof(known) / sizeof(*known))]);
	rest = way == CHANGE || way == REMOVE ? end + 3 : start - 1;
	buffer_add(&out, data, start - 1);
	if (way != REMOVE)
		add_packet(&out, (struct bytes){packet.data, packet.size});
	buffer_add(&out, data + rest, size - rest);
	if (out.size && out.size <= most) {
		memcpy(data, out.data, out.size);
		size = out.size;
	}
	buffer_free(&packet);
	buffer_free(&out);
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};

	if (size < 2 || !dice_throw(&dice, 4))
		return LLVMFuzzerMutate(data, size, most);
	if (*data & IS_MONITOR)
		return 1 + change_lines(data + 1, size - 1, most - 1, seed);
	return 1 + change_packets(data + 1, size - 1, most - 1, &dice);
}
