/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware.c - firmware that has nothing but a machine profile, read with the small form of the runtime. It starts with
 * garbage in the sections of the machine profile, as after power-on. Between the two dumps it starts again.
 */
#include <bareprof/mip.h>

#include "app.h"
#include "board.h"

extern uint8_t __start_bareprof_mip_calls[], __stop_bareprof_mip_calls[];
extern uint8_t __start_bareprof_mip_cov[], __stop_bareprof_mip_cov[];

#ifdef FIRMWARE_CALLS
BAREPROF_STATE;
#endif
#ifdef BAREPROF_MIP_SAMPLES_MODE
BAREPROF_MIP_RING(64);
extern uint8_t __start_bareprof_mip_smp[], __stop_bareprof_mip_smp[];
#endif

_Noreturn void firmware(void);

static int put(void *context, const void *data, size_t n)
{
	const char *c = data;

	(void)context;
	while (n--)
		board_putc(*c++);
	return 0;
}

static int dump(size_t nonce)
{
	static uint8_t block[BAREPROF_BLOCK_MIN];

	return bareprof_mip_small_dump(nonce, block, sizeof(block), bareprof_encode_text, put, NULL);
}

static void spoil(volatile uint8_t *start, const uint8_t *stop)
{
	for (; start < stop; start++)
		*start = 0xa5;
}

void firmware(void)
{
	int error;

	spoil(__start_bareprof_mip_calls, __stop_bareprof_mip_calls);
	spoil(__start_bareprof_mip_cov, __stop_bareprof_mip_cov);
#ifdef BAREPROF_MIP_SAMPLES_MODE
	spoil(__start_bareprof_mip_smp, __stop_bareprof_mip_smp);
#endif
	error = bareprof_mip_small_start();
	application(3);
	error |= dump(1);
	error |= bareprof_mip_small_start();
	application(3);
	error |= dump(2);
	board_exit(error ? 1 : 0);
}
