/* SPDX-License-Identifier: BSD-2-Clause */
/* running_raw.c - checks a raw profile or a raw machine profile while it arrives. */
#include "running_raw.h"
#include "mip_header.h"
#include "mip_raw.h"

bool running_raw_is_machine(struct bytes start)
{
	struct mip_start unused;

	return mip_start_read(&unused, start);
}

enum status running_raw_add(struct running_raw *raw, struct bytes bytes, struct error *error)
{
	if (!raw->size)
		raw->machine = running_raw_is_machine(bytes);
	raw->size += bytes.size;
	if (!raw->machine)
		return raw_stream_add(&raw->stream, bytes, error);
	buffer_add(&raw->whole, bytes.data, bytes.size);
	return STATUS_OK;
}

enum status running_raw_end(const struct running_raw *raw, struct error *error)
{
	struct mip_raw unused;

	if (!raw->machine)
		return raw_stream_end(&raw->stream, error);
	return mip_raw_read(&unused, (struct bytes){raw->whole.data, raw->whole.size}, error);
}

void running_raw_free(struct running_raw *raw)
{
	buffer_free(&raw->whole);
}
