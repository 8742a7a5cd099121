/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.c - the debug key 'b' writes the counters to the console, as lines that `bareprof pull`
 * finds in a log. This is useful on machines without dom0. With crash-debug-panic=b on its command
 * line, Xen also writes the counters in a panic.
 */
#include <xen/compile.h>
#include <xen/console.h>
#include <xen/init.h>
#include <xen/keyhandler.h>
#include <xen/lib.h>
#include <xen/random.h>
#include <xen/watchdog.h>

#include "profile.h"

#define KEY 'b'

/* Xen 4.19 changed the second parameter of key handlers. */
#if XEN_VERSION == 4 && XEN_SUBVERSION < 19
typedef struct cpu_user_regs *context_t;
#else
typedef bool context_t;
#endif

/* Each block is one line, and a line of printk() has at most 1023 characters. */
#define BLOCK 740u
#define LINE  (sizeof(BAREPROF_TEXT_MARKER) + (BLOCK + 2) / 3 * 4 + 2)

static struct bareprof_capture capture;
static char block[BLOCK] __aligned(8);
static char line[LINE];
static size_t used;

/* A sink that prints only whole lines, so that output of other CPUs cannot be in the middle of a line. */
static int cf_check collect(void *context, const void *data, size_t n)
{
	const char *c = data;

	for (; n; n--, c++) {
		if (*c == '\r')
			continue;
		if (*c == '\n') {
			printk("%.*s\n", (int)used, line);
			used = 0;
		} else if (used < sizeof(line)) {
			line[used++] = *c;
		}
	}
	return 0;
}

static void cf_check write_lines(unsigned char key, context_t unused)
{
	int error = bareprof_xen_error;

	BUILD_BUG_ON(LINE > 1023);
	watchdog_disable();
	console_start_sync();
	printk("'%c' pressed -> dumping the counters of coverage\n", key);
	used = 0;
	if (!error)
		error = bareprof_capture_open(&capture, &bareprof_xen, boot_random, block, sizeof(block));
	if (!error)
		error = bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, collect, NULL);
	if (error)
		printk("bareprof: %s\n", bareprof_strerror(error));
	console_end_sync();
	watchdog_enable();
}

static int __init start(void)
{
	register_irq_keyhandler(KEY, write_lines, "dump the counters of coverage", 0);
	return 0;
}
__initcall(start);
