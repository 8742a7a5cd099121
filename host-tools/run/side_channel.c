/* SPDX-License-Identifier: BSD-2-Clause */
/* side_channel.c - reads the file of the side channel while the guest writes it. */
#include "side_channel.h"
#include "child.h"
#include "clock.h"
#include "output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The file is read when its size has not changed for IDLE seconds. If the guest never pauses, the file is read after
 * BUSY seconds.
 */
#define IDLE 0.02
#define BUSY 1.0

void arrival_free(struct arrival *arrival)
{
	dump_progress_free(&arrival->progress);
	dump_receiver_free(&arrival->dump);
	*arrival = (struct arrival){0};
}

void arrival_start(struct arrival *arrival, struct console *console, struct programs *programs)
{
	arrival_free(arrival);
	dump_receiver_start(&arrival->dump, console ? console_text : NULL, console);
	arrival->dump.keep_raw_capture = true;
	arrival->dump.completion.programs = programs;
	arrival->progress.capture = &arrival->dump.capture;
	arrival->dump.scan.block = dump_progress_block;
	arrival->dump.scan.context = &arrival->progress;
}

enum status side_channel_open(struct side_channel *channel, struct error *error)
{
	enum status status = channel->folder ? STATUS_OK : temporary_folder(&channel->folder, error);

	if (status != STATUS_OK)
		return status;
	if (!channel->path)
		channel->path = format("%s/dump", channel->folder);
	channel->size = 0;
	status = output_write(channel->path, (struct bytes){NULL, 0}, error);
	return status ? temporary_failed(channel->path, error) : status;
}

void side_channel_expect(struct side_channel *channel, struct programs *programs)
{
	arrival_start(&channel->arrival, NULL, programs);
	channel->from = channel->size;
	channel->changed = channel->waits = 0;
}

/*
 * Reads the part of the file that belongs to this test. The whole part is read each time, because the bytes that are
 * new since the last time may begin or end within a block.
 */
static void read_file(struct side_channel *channel, struct programs *programs)
{
	int fd = open(channel->path, O_RDONLY | O_CLOEXEC);
	struct buffer content = {0};
	uint8_t chunk[65536];
	ssize_t n;

	arrival_start(&channel->arrival, NULL, programs);
	while (fd >= 0 && (n = pread(fd, chunk, sizeof(chunk), (off_t)(channel->from + content.size))) > 0)
		buffer_add(&content, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	scan_bytes(&channel->arrival.dump.scan, (struct bytes){content.data, content.size});
	buffer_free(&content);
}

void side_channel_poll(struct side_channel *channel, struct programs *programs, bool at_once)
{
	double now = seconds_now();
	struct stat file;

	if (stat(channel->path, &file))
		return;
	if ((uint64_t)file.st_size != channel->size) {
		channel->size = (uint64_t)file.st_size;
		channel->changed = now;
		channel->waits = channel->waits > 0 ? channel->waits : now;
	}
	if (channel->changed > 0 && (at_once || now - channel->changed > IDLE || now - channel->waits > BUSY)) {
		read_file(channel, programs);
		channel->changed = channel->waits = 0;
	}
}

void side_channel_remove(struct side_channel *channel)
{
	arrival_free(&channel->arrival);
	temporary_remove(channel->folder);
	free(channel->folder);
	free(channel->path);
	*channel = (struct side_channel){0};
}
