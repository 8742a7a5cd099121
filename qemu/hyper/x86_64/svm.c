/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svm.c - runs the guest with AMD's SVM. A control block contains the guest's initial state, the operations that the
 * guest must not do, and after an exit the reason for the exit.
 */
#include "board.h"
#include "cpu.h"
#include "hyper.h"
#include "pages.h"
#include "report.h"
#include "uart16550.h"

/* Offsets in a control block. */
#define INTERCEPTS_1  0x00c
#define INTERCEPTS_2  0x010
#define PORTS         0x040
#define MSRS          0x048
#define ASID          0x058
#define EXIT_CODE     0x070
#define EXIT_INFO_1   0x078
#define EXIT_INFO_2   0x080
#define NESTED        0x090
#define NESTED_TABLES 0x0b0
#define SEGMENT_ES    0x400 /* each segment has 16 bytes: selector, attributes, limit, base */
#define SEGMENT_CS    0x410
#define SEGMENT_SS    0x420
#define SEGMENT_DS    0x430
#define CPL           0x4cb
#define EFER          0x4d0
#define CR4           0x548
#define CR3           0x550
#define CR0           0x558
#define FLAGS         0x570
#define RIP           0x578

#define INTERCEPT_SHUTDOWN (1u << 31)
#define INTERCEPT_MSR      (1u << 28)
#define INTERCEPT_PORT     (1u << 27)
#define INTERCEPT_HLT      (1u << 24)
#define INTERCEPT_ALL_SVM  0xffu /* in INTERCEPTS_2: all SVM instructions (vmrun must be intercepted) */

#define EXIT_CALL      0x081
#define EXIT_NO_MEMORY 0x400

#define CALL_BYTES 3u /* length of a vmmcall instruction */

/* A segment with base 0 and the highest limit. @attributes are bits 40 to 47 and 52 to 55 of its descriptor. */
#define SEGMENT(attributes) ((uint64_t)0xffffffff << 32 | (attributes) << 16)
#define CODE_64             0xa9bu
#define DATA                0xc93u

#define EFER_64_AND_SVM 0x1500u
#define CR4_64          0x20u
#define CR0_64          0x80000001u
#define MSR_HSAVE       0xc0010117u

#define PORT_BITMAP 12288u
#define MSR_BITMAP  8192u

void cpu_run(uint8_t *block, uintptr_t reg[CPU_REGISTERS]);

/* Pages that the processor or the guest changes; keep.c does not compare them. */
#define CHANGES __attribute__((section(".changes"), aligned(PAGE_SIZE)))
static uint8_t block[PAGE_SIZE] CHANGES;
static uint8_t host[PAGE_SIZE] CHANGES;
static uint8_t nothing[PAGE_SIZE] CHANGES;
static uintptr_t reg[CPU_REGISTERS] CHANGES;
static uint8_t ports[PORT_BITMAP] __attribute__((aligned(PAGE_SIZE)));
static uint8_t msrs[MSR_BITMAP] __attribute__((aligned(PAGE_SIZE)));

static uint64_t *word(unsigned int offset)
{
	return (uint64_t *)(void *)(block + offset);
}

static _Noreturn void end(const char *what, uintptr_t code)
{
	report_fault(what);
	report_register("exit", code);
	report_register("info", *word(EXIT_INFO_1));
	report_register("address", *word(EXIT_INFO_2));
	report_register("pc", *word(RIP));
	report_end();
}

void hyper_fault(uintptr_t vector)
{
	end("hypervisor", vector);
}

void cpu_start(const uint64_t *table)
{
	/* Intercepts all ports except the ports of the guest's console, and all model-specific registers. */
	__builtin_memset(ports, 0xff, sizeof(ports));
	ports[UART16550_COM1 / 8] = 0;
	__builtin_memset(msrs, 0xff, sizeof(msrs));
	*(uint32_t *)(void *)(block + INTERCEPTS_1) =
		INTERCEPT_SHUTDOWN | INTERCEPT_MSR | INTERCEPT_PORT | INTERCEPT_HLT;
	*(uint32_t *)(void *)(block + INTERCEPTS_2) = INTERCEPT_ALL_SVM;
	*word(PORTS) = (uintptr_t)ports;
	*word(MSRS) = (uintptr_t)msrs;
	*word(ASID) = 1;
	*word(NESTED) = 1;
	*word(NESTED_TABLES) = (uintptr_t)table;
	*word(SEGMENT_CS) = SEGMENT(CODE_64);
	*word(SEGMENT_ES) = *word(SEGMENT_SS) = *word(SEGMENT_DS) = SEGMENT(DATA);
	*word(EFER) = EFER_64_AND_SVM;
	*word(CR4) = CR4_64;
	*word(CR0) = CR0_64;
	*word(FLAGS) = 2;
	__asm__ volatile("wrmsr" : : "c"(MSR_HSAVE), "a"((uint32_t)(uintptr_t)host), "d"(0) : "memory");
}

static void leave(uint64_t code)
{
	if (code == EXIT_CALL) {
		hyper_call(reg, block[CPL] == 0);
		*word(RIP) += CALL_BYTES;
	} else if (code != EXIT_NO_MEMORY || !tables_map(*word(EXIT_INFO_2), nothing, PAGES_LOST)) {
		/* tables_map() also fails if the guest wrote to a read-only page, because the page is mapped. */
		end("guest", code);
	}
}

void cpu_enter(uintptr_t pc)
{
	*word(RIP) = pc;
	/* The guest's page tables are in the second page of its memory. */
	*word(CR3) = pc + PAGE_SIZE;
	for (;;) {
		cpu_run(block, reg);
		leave(*word(EXIT_CODE));
	}
}
