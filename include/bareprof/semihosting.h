/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * semihosting.h - a sink that writes to a file of the host, or to the console of the
 * debugger. For Arm and AArch64.
 *
 * The target executes a special instruction, which stops the CPU. The debugger or emulator
 * then performs an operation, for example a write to a file, and lets the CPU continue. So
 * the target needs no UART and no driver. An example:
 *
 *	intptr_t file = bareprof_semihosting_create("kernel.dump");
 *	int err = file < 0 ? (int)file
 *	        : bareprof_send(&capture, block, sizeof(block), bareprof_encode_file,
 *	                        bareprof_semihosting_write, &file);
 *
 *	if (file >= 0 && bareprof_semihosting_close(file) && !err)
 *		err = BAREPROF_E_SINK;
 *
 * Without a debugger or emulator that has semihosting enabled, the instruction raises an
 * exception, and no function of this header can prevent that:
 *
 *	CPU, code             instruction   exception
 *	Cortex-M              bkpt 0xab     HardFault, or DebugMonitor if that is enabled
 *	AArch64               hlt 0xf000    undefined instruction (ESR_ELx.EC is 0)
 *	Armv7-A and -R, ARM   svc 0x123456  supervisor call
 *	Armv7-A and -R, Thumb svc 0xab      supervisor call
 *
 * In the handlers of NMI and HardFault, a Cortex-M locks up instead. The image may handle the
 * exception: if the handler sets r0 (or x0) to -1, and returns to the instruction after the special
 * one, then the interrupted function returns SINK. If no handler does this, call these functions
 * only in a build for the debugger or emulator.
 *
 * Contexts. The functions take no lock and keep no state, so they may be called in any
 * context and on any CPU. On Armv7-A and -R, the supervisor call overwrites lr_svc and
 * spsr_svc, as every svc does. A call stops the CPU for some microseconds with an
 * emulator. With a debug probe, the time is 1 to more than 100 milliseconds. Interrupts
 * wait during that time, and a watchdog may expire.
 */
#ifndef BAREPROF_SEMIHOSTING_H
#define BAREPROF_SEMIHOSTING_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Some operations of Arm's semihosting specification. */
enum bareprof_semihosting_operation {
	BAREPROF_SEMIHOSTING_OPEN = 0x01,
	BAREPROF_SEMIHOSTING_CLOSE = 0x02,
	BAREPROF_SEMIHOSTING_WRITE = 0x05,
	BAREPROF_SEMIHOSTING_CLOCK = 0x10, /* returns the centiseconds since the run started */
	BAREPROF_SEMIHOSTING_TIME = 0x11, /* returns the seconds since 1970, a good nonce */
	BAREPROF_SEMIHOSTING_COMMAND_LINE = 0x15,
	BAREPROF_SEMIHOSTING_EXIT_EXTENDED = 0x20,
};

/* The name of the debugger's console, for bareprof_semihosting_create(). */
#define BAREPROF_SEMIHOSTING_CONSOLE ":tt"

/*
 * bareprof_semihosting_call - makes one call, and returns the result of the operation.
 * @parameters points to the words that the operation needs, or is NULL. The debugger reads
 * and writes the memory to which these words point.
 */
BAREPROF_API intptr_t bareprof_semihosting_call(enum bareprof_semihosting_operation operation, const void *parameters);

/*
 * bareprof_semihosting_create - creates the file @name on the host, or empties this file if
 * it exists. A relative name is relative to the folder in which the debugger or emulator
 * runs. With BAREPROF_SEMIHOSTING_CONSOLE, opens the console of the debugger.
 *
 * Returns the handle of the file, which is 0 or more. The debugger owns the file until
 * bareprof_semihosting_close(). Errors: SINK.
 */
BAREPROF_API intptr_t bareprof_semihosting_create(const char *name);

/*
 * bareprof_semihosting_write - writes @n bytes at @data to the file whose handle is in
 * *@handle, an intptr_t. This function is a sink (capture.h). Each call stops the CPU once.
 * So use bareprof_encode_file(), which calls the sink once for each block. For the console
 * of the debugger, use bareprof_encode_text(), which calls the sink for every 4 characters.
 * Errors: SINK if not all bytes were written.
 */
BAREPROF_API int bareprof_semihosting_write(void *handle, const void *data, size_t n);

/*
 * bareprof_semihosting_close - closes the file. Some debuggers write the last bytes only
 * then. Errors: SINK.
 */
BAREPROF_API int bareprof_semihosting_close(intptr_t handle);

/*
 * bareprof_semihosting_command_line - copies the command line that the debugger or emulator
 * gives to the target to @buf of @size bytes, as one string. Errors: SINK if there is no
 * command line or @buf is too small.
 */
BAREPROF_API int bareprof_semihosting_command_line(char *buf, size_t size);

/*
 * bareprof_semihosting_exit - ends the run. An emulator exits with @status (0 to 255).
 * Returns only if the debugger does not end the run.
 */
BAREPROF_API void bareprof_semihosting_exit(int status);

#ifdef __cplusplus
}
#endif

#endif
