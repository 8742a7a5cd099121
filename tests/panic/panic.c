/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * panic.c - makes the demo kernel fail in the middle of its work, and saves what it counted. The command "panic XY" of the
 * shell comes here, because test.sh links with --wrap for the functions below:
 *
 *	X  C: the handler of faults sends the counts to the console; K: the counts are kept, and the next boot sends them
 *	Y  d: a fault within a dump; 2: a fault in the handler of faults; s: a stack overflow; c: a fault on a second CPU;
 *	   t: on x86_64, a fault for which no handler can run, so that the machine is reset at once
 *
 * Afterwards the kernel waits until it is reset. On a Cortex-M, and on other boards with IN_PLACE, counts are kept in
 * place. Otherwise, a loader fills the counters at each boot, so the handler keeps a copy.
 */
#include "profile.h"
#if !__has_include("bareprof.h")
#include <bareprof/keep.h>
#include <bareprof/snapshot.h>
#endif

#include "board.h"
#include "cov.h"
#include "cpu_fault.h"
#include "send.h"

#define BLOCKS_SENT 3u /* blocks of the dump that fails which arrive */

#ifdef KEPT_AT
/* The program does not use this RAM, and the loader does not write to it. */
static struct {
	struct bareprof_keep keep;
	uint64_t counters[(1 << 20) / 8];
} *const ram = (void *)KEPT_AT;
#define keep (ram->keep)
#else
static struct bareprof_keep keep __attribute__((section(".bareprof_keep")));
#endif

/* A dump may be open when the kernel fails. So the handler of faults has its own variables. */
static struct bareprof_image then;
static struct bareprof_capture capture;
static uint64_t block[1024 / 8];

static size_t nonce; /* of all dumps of this boot */
static char how, where; /* X and Y of the command; 0 before the command */
static unsigned int blocks, registers;

static void send(const char *what, const struct bareprof_image *image, size_t boot)
{
	intptr_t error = bareprof_capture_open(&capture, image, boot, block, sizeof(block));

	/* The fault may have come in the middle of a line. */
	send_words("\n");
	if (!error)
		error = bareprof_send(
			&capture, block, sizeof(block), __real_bareprof_encode_text, send_to_console, NULL);
	if (!send_failed(what, error))
		send_words(what);
	send_words("\n");
}

uint64_t __wrap_send_nonce(void)
{
	return nonce;
}

/* Sends what the previous boot counted, and chooses another nonce than that boot. */
static void send_kept(const struct bareprof_image *image)
{
	if (!bareprof_kept(&keep, &then, image)) {
		send_words("kept: nothing\n");
		nonce = (uint32_t)(board_nonce() >> 32);
		return;
	}
	send("kept: sent", &then, keep.nonce);
	nonce = keep.nonce + 1;
}

#ifdef KEPT_AT
void __wrap_cov_init(void)
{
	__real_cov_init();
	send_kept(&kernel_image);
	bareprof_keep_forget(&keep);
}
#else
/* On a Cortex-M, the start-up code calls this function before any instrumented function. */
int __wrap_bareprof_start(struct bareprof_image *image)
{
	int error = bareprof_image_self(image);

	if (error)
		return error;
	send_kept(image);
	return bareprof_keep_start(&keep, image, nonce);
}

/* On the other boards, it calls this one. */
void __wrap_board_constructors(void)
{
	send_failed("start", __wrap_bareprof_start(&kernel_image));
	__real_board_constructors();
}
#endif

int __wrap_bareprof_encode_text(const void *data, size_t n, bareprof_sink sink, void *context)
{
	if (where == 'd' && blocks++ == BLOCKS_SENT)
		cpu_fault();
	return __real_bareprof_encode_text(data, n, sink, context);
}

/* The handler of faults prints registers. */
void __wrap_report_register(const char *name, uintptr_t value)
{
	if (where == '2' && registers++ == 2)
		cpu_fault();
	__real_report_register(name, value);
}

static void fault_here(void *argument)
{
	(void)argument;
	cpu_fault();
}

_Noreturn void __wrap_crash_panic(const char *why)
{
	how = why[0];
	where = why[1];
	if (where == 'd')
		cov_counters();
	else if (where == '2')
		cpu_fault_twice();
	else if (where == 's')
		cpu_overflow();
	else if (where == 't')
		cpu_fault_thrice();
	else
		board_cpu_run(1, fault_here, NULL);
	board_cpu_wait(1);
	__real_board_exit(1);
}

/* The handler of faults calls this function at its end, on the CPU and the stack of the handler. */
_Noreturn void __wrap_board_exit(int status)
{
	if (!how)
		__real_board_exit(status);
	if (how == 'C')
		send("panic: sent", &kernel_image, nonce);
#ifdef KEPT_AT
	else if (send_failed("panic", bareprof_snapshot(&then, &kernel_image, ram->counters, sizeof(ram->counters))) ||
		 send_failed("panic", bareprof_keep(&keep, &then, nonce)))
		__real_board_exit(status);
#endif
	send_words("panic: waiting for a reset\n");
	for (;;)
		continue;
}
