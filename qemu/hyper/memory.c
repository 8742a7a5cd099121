/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory.c - the guest's memory, as seen by the hypervisor.
 */
#include "hyper.h"

/* The linker script places the guest's memory, with unused memory on both sides. */
extern uint8_t guest_memory[];
/* The linked guest, included by program.S. */
extern const uint8_t guest_program[], guest_program_end[];

uint8_t *guest_page(unsigned int number)
{
	/* The pages are in reverse order, so that contiguous guest memory is not contiguous for the hypervisor. */
	return guest_memory + (GUEST_PAGES - 1 - number) * PAGE_SIZE;
}

static size_t rest_of_page(uint64_t address, size_t n)
{
	size_t rest = PAGE_SIZE - (address & (PAGE_SIZE - 1));

	return n < rest ? n : rest;
}

size_t guest_copy(void *guest, uint64_t to, const void *from, size_t n)
{
	const uint8_t *s = from;
	uint64_t address = to;
	size_t left = n;
	size_t step;

	(void)guest; /* there is only one guest */
	for (; left > 0; left -= step, address += step) {
		step = rest_of_page(address, left);
		if (tables_writable(address) == NULL)
			return n;
	}
	for (; n > 0; n -= step, to += step, s += step) {
		step = rest_of_page(to, n);
		__builtin_memcpy(tables_writable(to) + (to & (PAGE_SIZE - 1)), s, step);
	}
	return 0;
}

void guest_load(void)
{
	size_t size = (size_t)(guest_program_end - guest_program);
	unsigned int i;

	for (i = 0; i < GUEST_PAGES; i++)
		__builtin_memset(guest_page(i), 0, PAGE_SIZE);
	/* The guest cannot run if its program does not fit into its memory, or if its memory is not mapped. */
	if (guest_copy(NULL, GUEST_BASE, guest_program, size) != 0)
		hyper_fault(0);
}
