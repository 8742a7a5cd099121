/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_dump.c - makes a raw machine profile from a dump in a capture or log. */
#include "mip_dump.h"

#include <bareprof/wire.h>
#include <inttypes.h>

enum status mip_dump_raw(
	struct buffer *out, const struct capture *capture, const struct sent_dump *sent, struct error *error)
{
	static const uint8_t streams[MIP_SECTIONS] = {
		BAREPROF_STREAM_MIP_COV, BAREPROF_STREAM_MIP_CALLS, BAREPROF_STREAM_MIP_BLK, BAREPROF_STREAM_MIP_SMP};
	const struct begin *begin = &sent->begin;
	struct sparse_buffer bytes[MIP_SECTIONS];
	struct mip_raw raw = {.version = BAREPROF_MIP_V9,
		.width = begin->width,
		.big = begin->order == BAREPROF_ORDER_BIG,
		.id = begin->id};
	enum status status = STATUS_OK;
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS; i++) {
		uint64_t size = streams_size(&begin->streams, streams[i]);

		bytes[i] = (struct sparse_buffer){{0}, NULL, 0, 0};
		sent_dump_stream(capture, sent, streams[i], &bytes[i]);
		if (bytes[i].bytes.size != size)
			status = error_set(error, STATUS_INVALID_INPUT,
				"has a dump %08" PRIx32 " that lacks bytes of stream %u; dump again", sent->tag,
				streams[i]);
		raw.section[i] = (struct bytes){bytes[i].bytes.data, bytes[i].bytes.size};
	}
	raw.kinds = mip_raw_kinds(&raw);
	/* BEGIN has only one address. mip_raw_fits() must not compare the addresses of the other sections. */
	raw.address[MIP_COVERAGE] = begin->address;
	if (status == STATUS_OK)
		mip_raw_write(out, &raw);
	for (i = 0; i < MIP_SECTIONS; i++)
		sparse_buffer_free(&bytes[i]);
	return status;
}
