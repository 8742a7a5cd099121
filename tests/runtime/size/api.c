/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api.c - calls the functions of each capability X for which ROOT_X is defined, so that the linker
 * keeps these functions and no others. The code in this file is not part of the measured size.
 */
#include "../../../runtime/capture_blocks.h"
#include <bareprof/hypercall_client.h>
#include <bareprof/image_set.h>
#include <bareprof/keep.h>
#include <bareprof/mip.h>
#include <bareprof/sample.h>
#include <bareprof/snapshot.h>
#include <bareprof/values.h>

struct bareprof_image image;
struct bareprof_dump dump;
struct bareprof_capture capture;
struct bareprof_keep keep;
struct bareprof_values values;
struct bareprof_set set;
struct bareprof_set_member member;
struct bareprof_set_dump set_dump;
struct bareprof_hypercalls hypercalls;
struct bareprof_client client;
struct bareprof_sampler sampler;
struct bareprof_ring ring;
struct bareprof_histogram histogram;
BAREPROF_STATE;
uint32_t record;
uint8_t buffer[4096];
volatile intptr_t result;

int sink(void *context, const void *data, size_t n);
BAREPROF_API void first(void) __asm__("__bareprof_mip_first");
BAREPROF_API void sample(void) __asm__("__bareprof_mip_sample");
void _start(void);
BAREPROF_API extern const int __llvm_profile_runtime;
BAREPROF_API void __llvm_profile_register_function(void *record);
BAREPROF_API void __llvm_profile_register_names_function(void *names, uint64_t size);

#ifdef ROOT_ATOMIC
uint64_t fetch_add(volatile void *object, uint64_t n, int order) __asm__("__atomic_fetch_add_8");
uint8_t fetch_or(volatile void *object, uint8_t bits, int order) __asm__("__atomic_fetch_or_1");
#endif

#ifndef ROOT_CORE
#define ROOT_CORE 0
#endif

void _start(void)
{
#if ROOT_CORE || defined(ROOT_SELF)
	result = bareprof_image_self(&image);
#endif
#if ROOT_CORE || defined(ROOT_RESET)
	bareprof_reset(&image);
#endif
#if ROOT_CORE || defined(ROOT_READ)
	result = bareprof_open(&dump, &image);
	result = bareprof_read(&dump, 0, buffer, sizeof(buffer));
#endif
#if ROOT_CORE || defined(ROOT_WRITE)
	result = bareprof_write(&dump, &image, buffer, sizeof(buffer));
#endif
#ifdef ROOT_SYMBOLS
	result = __llvm_profile_runtime;
	__llvm_profile_register_function(NULL);
	__llvm_profile_register_names_function(NULL, 0);
#endif
#ifdef ROOT_DIAGNOSE
	result = bareprof_diagnose(&image, &record);
#endif
#ifdef ROOT_BUILD_ID
	result = bareprof_build_id(&image, buffer, 0);
#endif
#ifdef ROOT_STRERROR
	result = *bareprof_strerror(result);
#endif
#ifdef ROOT_SNAPSHOT
	result = bareprof_snapshot(&image, &image, buffer, sizeof(buffer));
#endif
#ifdef ROOT_MASKED
	result = bareprof_snapshot_masked(&image, &image, buffer, sizeof(buffer));
#endif
#ifdef ROOT_DRAIN
	result = bareprof_drain(&image, &image, buffer, sizeof(buffer));
#endif
#ifdef ROOT_SEVERAL
	bareprof_set_add(&set, &member, &image);
	result = bareprof_set_retain(&set, &member, &dump, buffer, sizeof(buffer));
	result = bareprof_set_open(&set_dump, &set);
	result = bareprof_set_read(&set_dump, 0, buffer, sizeof(buffer));
	bareprof_set_remove(&set, &member);
#endif
#ifdef ROOT_HYPERCALL
	hypercalls.open = bareprof_capture_open;
	bareprof_hypercalls_start(&hypercalls);
	bareprof_hypercall(&hypercalls, (uintptr_t *)buffer, NULL, 1);
#endif
#ifdef ROOT_CLIENT
	result = bareprof_client_identify(&client) + bareprof_client_snapshot(&client);
	result = bareprof_client_read(&client, sink, NULL);
	result = bareprof_client_send(&client, bareprof_encode_text, sink, NULL);
	result = bareprof_client_reset(&client);
#endif
#ifdef ROOT_START
	result = bareprof_start(&image) + bareprof_started(&image);
#endif
#ifdef ROOT_KEEP
	result = bareprof_kept(&keep, &image, &image) + bareprof_keep_start(&keep, &image, 0) +
	         bareprof_keep_reset(&keep, &image);
	bareprof_keep_forget(&keep);
#endif
#ifdef ROOT_COUNTERS
	result = bareprof_capture_open(&capture, &image, 0, buffer, sizeof(buffer));
	result = bareprof_block(&capture, 0, buffer, sizeof(buffer));
#endif
#ifdef ROOT_WHOLE
	result = bareprof_capture_profraw(&capture, &dump, 0, buffer, sizeof(buffer));
	result = bareprof_block(&capture, 0, buffer, sizeof(buffer));
#endif
#ifdef ROOT_MEMORY
	result = bareprof_capture_write(&capture, buffer, sizeof(buffer));
#endif
#ifdef ROOT_CODING
	/* Makes a coded block of counters and its checksum with the functions that bareprof_block() calls. */
	result = (intptr_t)bareprof_start_block(buffer, (const size_t *)&image, 0);
	result = (intptr_t)bareprof_put_data(buffer, &image.section[BAREPROF_CNTS], sizeof(buffer), 1);
	result = (intptr_t)bareprof_finish_block(buffer, buffer, buffer);
#endif
#ifdef ROOT_FRAME
	result = bareprof_encode_frame(buffer, sizeof(buffer), sink, NULL);
#endif
#ifdef ROOT_SMALL
	result = bareprof_small_start();
	result = bareprof_small_dump(0, buffer, sizeof(buffer), bareprof_encode_frame, sink, NULL);
#endif
#ifdef ROOT_VALUES
	result = bareprof_values_start(&values, &image, (struct bareprof_node *)&dump, 4);
	result = bareprof_values_hold(&values, 0);
	bareprof_values_release(&values);
	bareprof_values_remove(&values);
	__llvm_profile_instrument_target(0, buffer, 0);
	__llvm_profile_instrument_memop(0, buffer, 0);
#endif
#ifdef ROOT_VALUE_CAPTURE
	result = bareprof_capture_values(&capture, &image, 0, buffer, sizeof(buffer));
	result = bareprof_block(&capture, 0, buffer, sizeof(buffer));
#endif
#ifdef ROOT_TIMESTAMP
	__llvm_profile_set_timestamp(&dump.header[0]);
#endif
#ifdef ROOT_ATOMIC
	/* Calls the functions for atomic counters as code of clang 15 and later releases does. */
	result = (intptr_t)fetch_add(&dump, 1, 0);
#if __ARM_ARCH < 7
	result = fetch_or(buffer, 1, 0);
#endif
#endif
#ifdef ROOT_MIP
	result = bareprof_mip_start(&image);
	bareprof_reset(&image);
	result = bareprof_capture_open(&capture, &image, 0, buffer, sizeof(buffer));
#endif
#ifdef ROOT_MIP_SMALL
	result = bareprof_mip_small_start();
	result = bareprof_mip_small_dump(0, buffer, sizeof(buffer), bareprof_encode_text, sink, NULL);
#endif
#ifdef ROOT_FIRST
	first();
#endif
#ifdef ROOT_SAMPLE
	sample();
#endif
#ifdef ROOT_RING
	result = bareprof_ring_init(&ring, &sampler, (uint32_t *)buffer, 16);
	bareprof_sample(&ring, (uintptr_t)buffer);
	result = (intptr_t)bareprof_ring_drain(&ring, (uint32_t *)buffer, (uint32_t *)buffer);
#endif
#ifdef ROOT_HISTOGRAM
	result = bareprof_histogram_init(&histogram, buffer, sizeof(buffer));
	bareprof_histogram_sample(&histogram, (uintptr_t)buffer);
#endif
#ifdef ROOT_SAMPLES
	result = bareprof_samples_collect(&image, &sampler, buffer, sizeof(buffer));
	result = bareprof_capture_samples(&capture, &image, 0, buffer, sizeof(buffer));
#endif
#ifdef ROOT_MIPRAW
	bareprof_mip_open(&dump, &image);
	result = bareprof_read(&dump, 0, buffer, sizeof(buffer));
#endif
#ifdef ROOT_TEXT
	result = bareprof_send(&capture, buffer, sizeof(buffer), bareprof_encode_text, sink, NULL);
#endif
#ifdef ROOT_ANSWER
	result = bareprof_answer(
		&capture, (const char *)buffer, buffer, sizeof(buffer), bareprof_encode_text, sink, NULL);
#endif
#ifdef ROOT_FRAMES
	result = bareprof_send(&capture, buffer, sizeof(buffer), bareprof_encode_frame, sink, NULL);
#endif
}

/* The structs that the caller owns. size.sh reads the sizes of these symbols. */
uint8_t size_of_image[sizeof(image)];
uint8_t size_of_dump[sizeof(dump)];
uint8_t size_of_capture[sizeof(capture)];
uint8_t size_of_keep[sizeof(keep)];
uint8_t size_of_values[sizeof(values)];
uint8_t size_of_member[sizeof(member)];
uint8_t size_of_set_dump[sizeof(set_dump)];
uint8_t size_of_hypercalls[sizeof(hypercalls)];
uint8_t size_of_client[sizeof(client)];
uint8_t size_of_sampler[sizeof(sampler)];
uint8_t size_of_ring[sizeof(ring)];
uint8_t size_of_state[sizeof(struct bareprof_state)];

int sink(void *context, const void *data, size_t n)
{
	(void)context;
	(void)data;
	return !n;
}
