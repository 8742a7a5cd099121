/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * console.c - the debug key 'b' writes the counters to the console, as lines that `bareprof pull`
 * finds in a log. The debug key 'B' resets the counters. Both keys are useful on machines without
 * dom0. With crash-debug-panic=b on its command line, Xen also writes the counters in a panic.
 */
#include <xen/bitops.h>
#include <xen/compile.h>
#include <xen/console.h>
#include <xen/init.h>
#include <xen/keyhandler.h>
#include <xen/lib.h>
#include <xen/random.h>
#include <xen/tasklet.h>
#include <xen/watchdog.h>
#include <asm/atomic.h>

#include "profile.h"

#define KEY_DUMP  'b'
#define KEY_RESET 'B'

/*
 * Xen 4.19 changed the second parameter of key handlers. In both forms it tells whether the registers
 * of the interrupted code are unknown. They are unknown only if Xen crashed.
 */
#if XEN_VERSION == 4 && XEN_SUBVERSION < 19
typedef struct cpu_user_regs *context_t;
#define CRASHED(context) (!(context))
#else
typedef bool context_t;
#define CRASHED(context) (context)
#endif

/* Each block is one line, and a line of printk() has at most 1023 characters. */
#define BLOCK 740u
#define LINE  (sizeof(BAREPROF_TEXT_MARKER) + (BLOCK + 2) / 3 * 4 + 2)

struct printer {
	struct bareprof_capture capture;
	uint32_t index; /* the next block to print */
	unsigned int used; /* the number of characters in line[] */
	char line[LINE];
	char block[BLOCK] __aligned(8);
};

/* Xen can crash while the tasklet prints, so a crash has its own printer. */
static struct printer pressed, crashed;
static unsigned long busy; /* 1 while the tasklet prints */
static atomic_t dumps = ATOMIC_INIT(0);

/* A sink that prints only whole lines, so that output of other CPUs cannot be in the middle of a line. */
static int cf_check collect(void *context, const void *data, size_t n)
{
	struct printer *printer = context;
	const char *c = data;

	for (; n; n--, c++) {
		if (*c == '\r')
			continue;
		if (*c == '\n') {
			printk("%.*s\n", (int)printer->used, printer->line);
			printer->used = 0;
		} else if (printer->used < sizeof(printer->line)) {
			printer->line[printer->used++] = *c;
		}
	}
	return 0;
}

/*
 * Each dump has its own nonce. So if one dump is cut off, the host does not fill it with blocks of
 * another dump, whose counts are older. A crash can come before Xen has set boot_random.
 */
static int open_printer(struct printer *printer)
{
	size_t nonce = (boot_random ?: get_random()) + (unsigned int)atomic_inc_return(&dumps);

	printer->index = 0;
	printer->used = 0;
	return bareprof_xen_error
	               ?: bareprof_capture_open(
				  &printer->capture, &bareprof_xen, nonce, printer->block, sizeof(printer->block));
}

/* Prints one block as a line. The line stands for several blocks if they hold no counts. */
static int print_block(struct printer *printer)
{
	intptr_t n = bareprof_next_block(&printer->capture, &printer->index, printer->block, sizeof(printer->block));

	if (n < 0)
		return n;
	return bareprof_encode_text(printer->block, n, collect, printer);
}

/* Prints the result of a dump. */
static void print_end(int error)
{
	printk("bareprof: %s\n", error ? bareprof_strerror(error) : "all counters were dumped");
}

/*
 * Prints one line and schedules itself again. So interrupts are disabled for at most the time of one
 * line, and softirqs run between two lines.
 */
static void cf_check print_piece(void *unused);
static DECLARE_TASKLET(tasklet, print_piece, NULL);
static void cf_check print_piece(void *unused)
{
	int error;

	console_start_sync();
	error = print_block(&pressed);
	if (!error && pressed.index < pressed.capture.blocks) {
		tasklet_schedule(&tasklet);
	} else {
		print_end(error);
		clear_bit(0, &busy);
	}
	console_end_sync();
}

/* In a crash no tasklet runs any more, so this function prints the whole dump before it returns. */
static void print_at_once(void)
{
	int error;

	watchdog_disable();
	console_start_sync();
	error = open_printer(&crashed);
	while (!error && crashed.index < crashed.capture.blocks)
		error = print_block(&crashed);
	print_end(error);
	console_end_sync();
	watchdog_enable();
}

static void cf_check press_dump(unsigned char key, context_t context)
{
	int error;

	BUILD_BUG_ON(LINE > 1023);
	printk("'%c' pressed -> dumping the counters of coverage\n", key);
	if (CRASHED(context)) {
		print_at_once();
	} else if (test_and_set_bit(0, &busy)) {
		printk("bareprof: another dump has not ended yet, so this key press is ignored\n");
	} else if ((error = open_printer(&pressed)) != 0) {
		print_end(error);
		clear_bit(0, &busy);
	} else {
		tasklet_schedule(&tasklet);
	}
}

static void cf_check press_reset(unsigned char key, context_t unused)
{
	if (!bareprof_xen_error)
		bareprof_xen_reset();
	printk("'%c' pressed -> the counters of coverage %s\n", key,
		bareprof_xen_error ? "cannot be reset" : "were reset");
}

static int __init register_keys(void)
{
	register_irq_keyhandler(KEY_DUMP, press_dump, "dump the counters of coverage", 0);
	register_irq_keyhandler(KEY_RESET, press_reset, "reset the counters of coverage", 0);
	return 0;
}
__initcall(register_keys);
