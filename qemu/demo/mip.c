/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.c - all code of this kernel that reads its machine profile. This file is not instrumented, for the reason that
 * send.c gives.
 */
#include "profile.h"

#include "board.h"
#include "cov.h"
#include "mip.h"
#include "send.h"

#if !defined(BAREPROF_VALUES) && !defined(BAREPROF_TEMPORAL) /* otherwise cov.c defines the state */
BAREPROF_STATE;
#endif

#ifdef BAREPROF_MIP_SAMPLES_MODE
#ifndef MIP_SLOTS
#define MIP_SLOTS 512
#endif
BAREPROF_MIP_RING(MIP_SLOTS);
#endif

struct bareprof_image mip_image;

static struct bareprof_dump dump;
static struct bareprof_capture capture;

/* Describes the machine profile, if the start-up code did not. Returns -1 after a message if there is none. */
static int prepare(const char *what)
{
	if (!mip_image.live && send_failed(what, bareprof_mip_image_self(&mip_image)))
		return -1;
	return 0;
}

void mip_info(void)
{
	if (prepare("mip info"))
		return;
	bareprof_mip_open(&dump, &mip_image);
	send_number("", (uint32_t)mip_image.section[BAREPROF_MIP_COVERAGE].size);
	send_number(
		" coverage bytes, ", (uint32_t)mip_image.section[BAREPROF_MIP_CALLS].size / BAREPROF_MIP_CALLS_SIZE);
	send_number(" call entries, reset ", (uint32_t)mip_image.generation);
	send_number(" times\nmachine profile of ", (uint32_t)dump.size);
	send_words(" bytes\n");
}

void mip_reset(void)
{
	if (!prepare("mip reset"))
		bareprof_reset(&mip_image);
}

static void send(const char *what, size_t size, bareprof_encoder form, bareprof_sink sink)
{
	if (prepare(what) ||
		send_failed(what, bareprof_capture_open(&capture, &mip_image, send_nonce(), send_block, size)))
		return;
	send_failed(what, bareprof_send(&capture, send_block, size, form, sink, NULL));
}

void mip_dump(void)
{
	send("mip dump", sizeof(send_block), bareprof_encode_text, send_to_console);
}

void mip_both(void)
{
	cov_counters();
	mip_dump();
}

void mip_save(void)
{
	send("mip save", sizeof(send_block), bareprof_encode_frame, send_to_channel);
}
