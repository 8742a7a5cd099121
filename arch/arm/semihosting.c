/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * semihosting.c - implements semihosting.h for Arm and AArch64.
 */
#include <bareprof/semihosting.h>

#define MODE_WRITE        4u
#define MODE_WRITE_BINARY 5u
#define APPLICATION_EXIT  0x20026u

intptr_t bareprof_semihosting_call(enum bareprof_semihosting_operation operation, const void *parameters)
{
#ifdef __aarch64__
	register intptr_t r0 __asm__("x0") = (intptr_t)operation;
	register const void *r1 __asm__("x1") = parameters;
#else
	register intptr_t r0 __asm__("r0") = (intptr_t)operation;
	register const void *r1 __asm__("r1") = parameters;
#endif

#if defined(__aarch64__)
	__asm__ volatile("hlt #0xf000" : "+r"(r0) : "r"(r1) : "memory");
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
#elif defined(__thumb__)
	__asm__ volatile("svc 0xab" : "+r"(r0) : "r"(r1) : "memory", "lr");
#else
	__asm__ volatile("svc 0x123456" : "+r"(r0) : "r"(r1) : "memory", "lr");
#endif
	return r0;
}

intptr_t bareprof_semihosting_create(const char *name)
{
	uintptr_t parameters[3];
	uintptr_t length = 0;
	intptr_t handle;

	while (name[length] != '\0')
		length++;
	parameters[0] = (uintptr_t)name;
	/* For the console, some debuggers refuse binary mode. */
	parameters[1] = name[0] == ':' ? MODE_WRITE : MODE_WRITE_BINARY;
	parameters[2] = length;
	handle = bareprof_semihosting_call(BAREPROF_SEMIHOSTING_OPEN, parameters);
	return handle < 0 ? BAREPROF_E_SINK : handle;
}

int BAREPROF_CALLBACK bareprof_semihosting_write(void *handle, const void *data, size_t n)
{
	const intptr_t *file = handle;
	uintptr_t parameters[3];

	parameters[0] = (uintptr_t)*file;
	parameters[1] = (uintptr_t)data;
	parameters[2] = n;
	/* The call returns the number of bytes that were not written. */
	return bareprof_semihosting_call(BAREPROF_SEMIHOSTING_WRITE, parameters) == 0 ? 0 : BAREPROF_E_SINK;
}

int bareprof_semihosting_close(intptr_t handle)
{
	return bareprof_semihosting_call(BAREPROF_SEMIHOSTING_CLOSE, &handle) == 0 ? 0 : BAREPROF_E_SINK;
}

int bareprof_semihosting_command_line(char *buf, size_t size)
{
	uintptr_t parameters[2];

	parameters[0] = (uintptr_t)buf;
	parameters[1] = size;
	return bareprof_semihosting_call(BAREPROF_SEMIHOSTING_COMMAND_LINE, parameters) == 0 ? 0 : BAREPROF_E_SINK;
}

void bareprof_semihosting_exit(int status)
{
	uintptr_t parameters[2];

	parameters[0] = APPLICATION_EXIT;
	parameters[1] = (uintptr_t)status;
	bareprof_semihosting_call(BAREPROF_SEMIHOSTING_EXIT_EXTENDED, parameters);
}
