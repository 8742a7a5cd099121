/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apic.c - the interrupt controllers of a PC, as QEMU emulates them.
 */
#include "port.h"
#include "apic.h"
#include "interrupt.h"

#define LOCAL_APIC 0xfee00000u
#define IO_APIC    0xfec00000u

/* Registers of the local APIC. */
#define LOCAL_ID              0x020
#define LOCAL_END             0x0b0
#define LOCAL_SPURIOUS        0x0f0
#define LOCAL_COMMAND         0x300 /* writing this register sends the command */
#define LOCAL_COMMAND_TO      0x310
#define LOCAL_TIMER           0x320
#define LOCAL_LINT0           0x350
#define LOCAL_INITIAL_COUNT   0x380
#define LOCAL_CURRENT_COUNT   0x390
#define LOCAL_DIVIDE          0x3e0
#define LOCAL_ENABLE          0x100 /* in LOCAL_SPURIOUS: enables the local APIC */
#define LOCAL_MASKED          0x10000
#define LOCAL_DIVIDE_BY_16    0x3
#define ID_SHIFT              24
#define COMMAND_INIT          0x4500 /* the INIT command, edge-triggered, for the CPU whose id is in LOCAL_COMMAND_TO */
#define COMMAND_START         0x4600 /* the start command; its low byte is the number of the page to start in */
#define COMMAND_NMI           0x4400
#define COMMAND_PENDING       0x1000
#define TICKS_PER_MICROSECOND 62u /* QEMU's timer counts nanoseconds / 16: 62.5 ticks in a microsecond */

/* The I/O APIC has an index and a window. Through them, code reaches two registers for each interrupt line. */
#define IO_INDEX        0x00
#define IO_WINDOW       0x10
#define IO_LINE(n)      (0x10u + 2 * (n))
#define LINE_SERIAL     4
#define LINE_TIMER      2 /* the programmable timer, which has line 0 of the older controllers */
#define LINE_NMI        0x400
#define LINE_MASKED     0x10000
#define DESTINATION_BSP 0

/* The older interrupt controllers, which are connected to the same lines. */
#define OLD_MASTER_MASK 0x21
#define OLD_SLAVE_MASK  0xa1

static volatile uint32_t *reg(uintptr_t base, uint32_t offset)
{
	return (volatile uint32_t *)(base + offset);
}

static void io_apic_write(uint32_t index, uint32_t value)
{
	*reg(IO_APIC, IO_INDEX) = index;
	*reg(IO_APIC, IO_WINDOW) = value;
}

void apic_init(void)
{
	port_write(OLD_MASTER_MASK, 0xff);
	port_write(OLD_SLAVE_MASK, 0xff);
	*reg(LOCAL_APIC, LOCAL_LINT0) = LOCAL_MASKED;
	*reg(LOCAL_APIC, LOCAL_SPURIOUS) = LOCAL_ENABLE | VECTOR_SPURIOUS;
	*reg(LOCAL_APIC, LOCAL_DIVIDE) = LOCAL_DIVIDE_BY_16;
	*reg(LOCAL_APIC, LOCAL_TIMER) = VECTOR_TIMER;
	io_apic_write(IO_LINE(LINE_SERIAL) + 1, DESTINATION_BSP);
	io_apic_write(IO_LINE(LINE_SERIAL), VECTOR_SERIAL);
}

void apic_end_of_interrupt(void)
{
	*reg(LOCAL_APIC, LOCAL_END) = 0;
}

/* Starts the timer. A count of 0 would stop it. */
static void count_down(uint32_t microseconds)
{
	uint32_t most = UINT32_MAX / TICKS_PER_MICROSECOND;

	if (microseconds > most)
		microseconds = most;
	*reg(LOCAL_APIC, LOCAL_INITIAL_COUNT) = microseconds ? microseconds * TICKS_PER_MICROSECOND : 1;
}

void apic_timer(uint32_t microseconds)
{
	count_down(microseconds);
}

void apic_delay(uint32_t microseconds)
{
	/* The timer is masked, because otherwise an unwanted interrupt would be pending after this wait. */
	*reg(LOCAL_APIC, LOCAL_TIMER) = LOCAL_MASKED | VECTOR_TIMER;
	count_down(microseconds);
	while (*reg(LOCAL_APIC, LOCAL_CURRENT_COUNT) != 0)
		continue;
	*reg(LOCAL_APIC, LOCAL_TIMER) = VECTOR_TIMER;
}

unsigned int apic_id(void)
{
	return *reg(LOCAL_APIC, LOCAL_ID) >> ID_SHIFT;
}

static void command(unsigned int id, uint32_t what)
{
	*reg(LOCAL_APIC, LOCAL_COMMAND_TO) = id << ID_SHIFT;
	*reg(LOCAL_APIC, LOCAL_COMMAND) = what;
	while (*reg(LOCAL_APIC, LOCAL_COMMAND) & COMMAND_PENDING)
		continue;
}

void apic_start_cpu(unsigned int id, uint32_t address)
{
	/*
	 * INIT stops CPU @id, which then waits for the start command. Old processors needed a pause of some
	 * milliseconds between the two commands, and they needed the start command twice.
	 */
	command(id, COMMAND_INIT);
	command(id, COMMAND_START | address >> 12);
}

void apic_route_nmi(bool on)
{
	io_apic_write(IO_LINE(LINE_TIMER) + 1, DESTINATION_BSP);
	io_apic_write(IO_LINE(LINE_TIMER), LINE_NMI | (on ? 0 : LINE_MASKED));
}

void apic_send_nmi(unsigned int id)
{
	/* The interrupted code may be between the two writes of a command of its own. */
	uint32_t to = *reg(LOCAL_APIC, LOCAL_COMMAND_TO);

	command(id, COMMAND_NMI);
	*reg(LOCAL_APIC, LOCAL_COMMAND_TO) = to;
}
