/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interrupt.c - the vector table and the handler of all vectors. An exception reports
 * the registers and ends the machine.
 */
#include "apic.h"
#include "board.h"
#include "cpus.h"
#include "interrupt.h"
#include "report.h"

#define VECTOR_DOUBLE_FAULT 8
#define EXCEPTIONS          32

#define CODE_SELECTOR  0x08
#define TASK_SELECTOR  0x18 /* selects the task state of the CPU with id 0; the descriptor for each CPU has 16 bytes */
#define INTERRUPT_GATE 0x8e
#define AVAILABLE_TASK 0x89
#define FAULT_STACK    1 /* a double fault uses the stack with this number in the task state */

struct gate {
	uint16_t address_low;
	uint16_t selector;
	uint8_t stack;
	uint8_t type;
	uint16_t address_middle;
	uint32_t address_high;
	uint32_t zero;
};

struct task_state {
	uint32_t zero;
	uint32_t unused[8];
	uint32_t stack[7][2]; /* the address of stack n is in stack[n - 1], its low half first */
	uint32_t more[3];
};

struct table {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

extern const uint8_t vectors[];
extern uint64_t gdt[];
void interrupt(const struct frame *frame);

static struct gate gates[VECTORS];

/* Indexed by id. The processor marks a task state that it uses as busy, so two CPUs cannot share a task state. */
static struct task_state tasks[CPUS_MAX];
static uint8_t fault_stacks[CPUS_MAX][4096] __attribute__((aligned(16)));

static void set_gate(unsigned int vector, uint8_t stack)
{
	struct gate *gate = &gates[vector];
	uint64_t address = (uintptr_t)(vectors + 16 * vector);

	gate->address_low = (uint16_t)address;
	gate->address_middle = (uint16_t)(address >> 16);
	gate->address_high = (uint32_t)(address >> 32);
	gate->selector = CODE_SELECTOR;
	gate->stack = stack;
	gate->type = INTERRUPT_GATE;
}

static void set_task(unsigned int id)
{
	struct task_state *task = &tasks[id];
	uint64_t address = (uintptr_t)task;
	uint64_t top = (uintptr_t)(fault_stacks[id] + sizeof(fault_stacks[id]));
	uint32_t selector = TASK_SELECTOR + 16 * id;
	uint64_t *entry = &gdt[selector / 8];

	task->stack[FAULT_STACK - 1][0] = (uint32_t)top;
	task->stack[FAULT_STACK - 1][1] = (uint32_t)(top >> 32);
	/* Clears the busy mark, which is set if the CPU was started before. */
	entry[0] = (sizeof(*task) - 1) | (address & 0xffffff) << 16 | (uint64_t)AVAILABLE_TASK << 40 |
	           (address >> 24 & 0xff) << 56;
	entry[1] = address >> 32;
	__asm__ volatile("ltr %w0" : : "r"(selector));
}

void interrupt_init(void)
{
	unsigned int vector;

	for (vector = 0; vector < VECTORS; vector++)
		set_gate(vector, vector == VECTOR_DOUBLE_FAULT || vector == VECTOR_NMI ? FAULT_STACK : 0);
}

void interrupt_cpu(unsigned int id)
{
	struct table table = {sizeof(gates) - 1, (uintptr_t)gates};

	set_task(id);
	__asm__ volatile("lidt %0" : : "m"(table));
}

static _Noreturn void exception(const struct frame *f)
{
	uint64_t cr2;

	__asm__ volatile("mov %%cr2, %0" : "=r"(cr2));
	report_fault(f->vector == VECTOR_DOUBLE_FAULT ? "double fault" : "exception");
	report_register("cpu", cpu_id());
	report_register("vector", f->vector);
	report_register("error", f->error);
	report_register("rip", f->rip);
	report_register("cr2", cr2);
	report_register("rsp", f->rsp);
	report_register("rbp", f->rbp);
	report_register("rflags", f->rflags);
	report_register("cs", f->cs);
	report_register("rax", f->rax);
	report_register("rbx", f->rbx);
	report_register("rcx", f->rcx);
	report_register("rdx", f->rdx);
	report_register("rsi", f->rsi);
	report_register("rdi", f->rdi);
	report_register("r8", f->r8);
	report_register("r9", f->r9);
	report_register("r10", f->r10);
	report_register("r11", f->r11);
	report_register("r12", f->r12);
	report_register("r13", f->r13);
	report_register("r14", f->r14);
	report_register("r15", f->r15);
	report_end();
}

void interrupt(const struct frame *frame)
{
#ifdef DEMO_SAMPLES
	if (frame->vector == VECTOR_NMI) {
		sample_interrupt(frame);
		return;
	}
#endif
	if (frame->vector < EXCEPTIONS)
		exception(frame);
	if (frame->vector == VECTOR_TIMER)
		kernel_tick();
	/* The interrupt of the serial port is only needed to end the wait. */
	if (frame->vector != VECTOR_SPURIOUS)
		apic_end_of_interrupt();
}
