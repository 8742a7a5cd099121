/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gdb_packet.h - packets of gdb's remote serial protocol, as "Remote Protocol" in gdb's manual describes them. A packet
 * is $DATA#CHECKSUM. Until both sides agree to do without, the receiver acknowledges each packet with + or asks for it
 * again with -.
 */
#ifndef BAREPROF_HOST_GDB_PACKET_H
#define BAREPROF_HOST_GDB_PACKET_H

#include "channel.h"

/* The most bytes of an answer, without what a run length stands for. No stub needs more. */
#define GDB_PACKET_MAX (1u << 17)

/* The caller opens @channel and sets @seconds; everything else starts as zeros. gdb_packets_free() frees @answer. */
struct gdb_packets {
	struct channel channel;
	double seconds; /* how long to wait for the other side */
	bool quiet; /* packets are not acknowledged any more */
	size_t arrived; /* bytes since the last request */
	struct buffer answer; /* the data of the last answer, without escapes and run lengths */
};

/*
 * gdb_ask - sends a packet with @request, and receives the answer into packets->answer. Sends the packet again if the
 * stub asks for it, and asks for the answer again if it is damaged, at most three times each.
 * gdb_answer - receives one more packet, without a request before it.
 * gdb_tell - sends a packet and does not wait for an answer, only for the acknowledgement.
 * Errors: SYSTEM (the connection), INVALID_INPUT (the stub breaks the protocol).
 */
enum status gdb_ask(struct gdb_packets *packets, const char *request, struct error *error);
enum status gdb_answer(struct gdb_packets *packets, struct error *error);
enum status gdb_tell(struct gdb_packets *packets, const char *request, struct error *error);

void gdb_packets_free(struct gdb_packets *packets);

#endif
