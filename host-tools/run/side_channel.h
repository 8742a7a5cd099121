/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * side_channel.h - the side channel: a file in a temporary folder, to which the guest can write dumps. The functions
 * find out, while the guest runs, which dumps have arrived in the file.
 */
#ifndef BAREPROF_HOST_SIDE_CHANNEL_H
#define BAREPROF_HOST_SIDE_CHANNEL_H

#include "console.h"
#include "dump_progress.h"
#include "dump_receiver.h"

/* A dump that is arriving. */
struct arrival {
	struct dump_receiver dump;
	struct dump_progress progress;
};

/*
 * arrival_start - prepares @arrival for new blocks, and forgets all blocks of earlier dumps. Text that does not belong
 * to a dump is shown on @console. If @console is NULL, this text is dropped. @programs has the ELF files whose records
 * and names complete the captures of counters. The caller frees @arrival with arrival_free().
 */
void arrival_start(struct arrival *arrival, struct console *console, struct programs *programs);
void arrival_free(struct arrival *arrival);

/* The caller zeroes all fields. End with side_channel_remove(). */
struct side_channel {
	char *folder; /* path of the temporary folder; NULL before side_channel_open() */
	char *path; /* the file, in @folder */
	uint64_t from; /* offset in the file at which the data of the current test starts */
	uint64_t size; /* size of the file in bytes, when the size was last read */
	double changed; /* seconds_now() when the file last grew; 0: the file has been read since then */
	double waits; /* the time of seconds_now() since which the file has unread bytes; 0: all bytes have been read */
	struct arrival arrival; /* the dumps in the file, from @from on */
};

/*
 * side_channel_open - makes an empty file for a new guest. The first call creates the temporary folder. Errors:
 * SYSTEM.
 */
enum status side_channel_open(struct side_channel *channel, struct error *error);

/* side_channel_expect - forgets the dumps so far. Only bytes that the guest writes after this call are read. */
void side_channel_expect(struct side_channel *channel, struct programs *programs);

/*
 * side_channel_poll - reads the file if its size has changed. If @at_once is false, reads the file only after the guest
 * has stopped writing for a moment, or after one second if the guest never stops. @programs is as in arrival_start().
 */
void side_channel_poll(struct side_channel *channel, struct programs *programs, bool at_once);

/* side_channel_remove - removes the folder with all files in it, and frees what @channel holds. */
void side_channel_remove(struct side_channel *channel);

#endif
