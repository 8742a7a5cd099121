/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * port.h - the I/O port instructions of x86.
 */
#ifndef ARCH_X86_64_PORT_H
#define ARCH_X86_64_PORT_H

#include <bareprof/platform.h>

static inline void port_write(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static inline void port_write_word(uint16_t port, uint16_t value)
{
	__asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

static inline uint8_t port_read(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

/*
 * Writes @n bytes with one instruction. In a virtual machine, an efficient hypervisor needs only
 * one exit for this instruction.
 */
static inline void port_write_bytes(uint16_t port, const void *data, size_t n)
{
	__asm__ volatile("rep outsb" : "+S"(data), "+c"(n) : "d"(port) : "memory");
}

#endif
