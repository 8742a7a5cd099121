/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page_walk.c - tests the translation of addresses with tables that were made by hand from the manuals of the
 * architectures. Each case has all entries that the CPU would read for one address.
 */
#include "page_walk.h"

#include <inttypes.h>
#include <stdio.h>

#define ENTRIES_MAX 6

/* An address, the entries that its translation needs, and what must come out. */
struct walk_case {
	const char *name;
	struct page_tables tables;
	struct {
		uint64_t address;
		uint64_t value;
	} entries[ENTRIES_MAX]; /* ends with an address of 0 */
	uint64_t address;
	struct page expected; /* all zeros: the walk must fail */
	const char *reason; /* a part of the error, if it must fail */
};

#define X86_64(bits, root)                                                                                             \
	{                                                                                                              \
		.format = PAGES_X86_64, .region = { {root, bits, 12} }                                                 \
	}
#define AARCH64(bits, root, granule)                                                                                   \
	{                                                                                                              \
		.format = PAGES_AARCH64, .region = { {0}, {root, bits, granule} }                                      \
	}
#define AARCH64_LOW(bits, root, granule)                                                                               \
	{                                                                                                              \
		.format = PAGES_AARCH64, .region = { {root, bits, granule} }                                           \
	}
#define SHORT(n, low, high)                                                                                            \
	{                                                                                                              \
		.format = PAGES_ARM_SHORT, .region = { {low, 32 - (n), 12}, {high, 32, 12} }                           \
	}
#define LONG(bits0, low, bits1, high)                                                                                  \
	{                                                                                                              \
		.format = PAGES_ARM_LONG, .region = { {low, bits0, 12}, {high, bits1, 12} }                            \
	}

static const struct walk_case cases[] = {
	{"x86_64, 4 KiB", X86_64(48, 0x1000),
		{{0x1ff8, 0x2003}, {0x2ff0, 0x3003}, {0x3040, 0x4003}, {0x4008, 0x8000000012345163}},
		0xffffffff81001234, {0x12345234, 0xdcc}, NULL},
	{"x86_64, 2 MiB, with PAT", X86_64(48, 0x1000), {{0x1ff8, 0x2003}, {0x2ff0, 0x3003}, {0x3040, 0x1e011e3}},
		0xffffffff81001234, {0x1e01234, 0x1fedcc}, NULL},
	{"x86_64, 1 GiB", X86_64(48, 0x1000), {{0x1888, 0x2003}, {0x2000, 0x100000083}}, 0xffff888012345678,
		{0x112345678, 0x2dcba988}, NULL},
	{"x86_64, low half", X86_64(48, 0x1000), {{0x1000, 0x2007}, {0x2000, 0x83}}, 0x1000, {0x1000, 0x3ffff000},
		NULL},
	{"x86_64, five levels", X86_64(57, 0x1000),
		{{0x1ff8, 0x2003}, {0x2ff8, 0x3003}, {0x3ff0, 0x4003}, {0x4040, 0x80001e000e3}}, 0xffffffff81000000,
		{0x80001e00000, 0x200000}, NULL},
	{"x86_64, an address that is not canonical", X86_64(48, 0x1000), {{0}}, 0x800000000000, {0}, "not for such"},
	{"x86_64, not present", X86_64(48, 0x1000), {{0x1ff8, 0x2003}, {0x2ff0, 0x3002}}, 0xffffffff81000000, {0},
		"does not map 0xffffffff81000000: the entry in its page table of level 2, at 0x2ff0, is not present"},
	{"x86_64, a large page at level 1", X86_64(48, 0x1000), {{0x1ff8, 0x2083}}, 0xffffffff81000000, {0},
		"level 1 has a form that no CPU accepts"},
	{"x86_64, reserved bits", X86_64(48, 0x1000), {{0x1ff8, 0x2003}, {0x2ff0, 0x3003}, {0x3040, 0x1e03083}},
		0xffffffff81000000, {0}, "level 3 has a form that no CPU accepts"},
	{"x86_64, all bits set", X86_64(48, 0x1000), {{0x1ff8, ~0ull}}, 0xffffffff81000000, {0}, "level 1 has a form"},
	{"x86_64, a table that points to itself", X86_64(48, 0x1000), {{0x1ff8, 0x1003}}, ~0ull, {0x1fff, 1}, NULL},
	{"x86_64, a table outside of memory", X86_64(48, 0x1000), {{0x1ff8, 0x7f7f7f003}}, ~0ull, {0},
		"the page table of level 2 would be at the physical address 0x7f7f7fff8, where no memory is"},
	{"AArch64, 4 KiB of 4 levels", AARCH64(48, 0x1000, 12),
		{{0x1800, 0x2003}, {0x2000, 0x3003}, {0x3200, 0x4003}, {0x4008, 0x78000041234f03}}, 0xffff800008001010,
		{0x41234010, 0xff0}, NULL},
	{"AArch64, 2 MiB of 3 levels", AARCH64(39, 0x1000, 12), {{0x1c00, 0x2003}, {0x2200, 0x40200701}},
		0xffffffe008001010, {0x40201010, 0x1feff0}, NULL},
	{"AArch64, 1 GiB of TTBR0", AARCH64_LOW(39, 0x1000, 12), {{0x1008, 0x40000701}}, 0x40001234,
		{0x40001234, 0x3fffedcc}, NULL},
	{"AArch64, 16 KiB", AARCH64(47, 0x4000, 14), {{0x6000, 0x8003}, {0x8020, 0xc003}, {0xc010, 0x44004703}},
		0xffffc00008008010, {0x44004010, 0x3ff0}, NULL},
	{"AArch64, 32 MiB", AARCH64(36, 0x4000, 14), {{0x4008, 0x42000701}}, 0xfffffff002000010,
		{0x42000010, 0x1fffff0}, NULL},
	{"AArch64, 64 KiB", AARCH64(42, 0x10000, 16), {{0x18000, 0x20003}, {0x28008, 0x41230703}}, 0xfffffe0000010010,
		{0}, "does not map"},
	{"AArch64, 64 KiB of 2 levels", AARCH64(42, 0x10000, 16), {{0x18000, 0x20003}, {0x20008, 0x41230703}},
		0xfffffe0000010010, {0x41230010, 0xfff0}, NULL},
	{"AArch64, 512 MiB", AARCH64(48, 0x10000, 16), {{0x10100, 0x20003}, {0x20000, 0x60000701}}, 0xffff800000010010,
		{0x60010010, 0x1ffefff0}, NULL},
	{"AArch64, 64 KiB and 52 bits", {.format = PAGES_AARCH64, .wide = true, .region = {{0}, {0x10000, 52, 16}}},
		{{0x11000, 0x20003}, {0x20000, 0x3003}, {0x3000000000000, 0x4123f703}}, 0xfff8000000000010,
		{0xf000041230010, 0xfff0}, NULL},
	{"AArch64, 64 KiB and a physical address of 52 bits",
		{.format = PAGES_AARCH64, .wide = true, .region = {{0}, {0x10000, 48, 16}}},
		{{0x10100, 0x23003}, {0x3000000020000, 0x4123a703}}, 0xffff800000000010, {0}, "where no memory is"},
	{"AArch64, 512 MiB and a physical address of 52 bits",
		{.format = PAGES_AARCH64, .wide = true, .region = {{0}, {0x10000, 48, 16}}},
		{{0x10100, 0x23003}, {0x3000000020000, 0x4000a701}}, 0xffff800000000010, {0xa000040000010, 0x1ffffff0},
		NULL},
	{"AArch64, 4 KiB and 52 bits, five levels",
		{.format = PAGES_AARCH64, .wide = true, .region = {{0}, {0x1000, 52, 12}}},
		{{0x1040, 0x2003}, {0x2000, 0x3003}, {0x3000, 0x4003}, {0x4000, 0x5003}, {0x5000, 0x4000041234303}},
		0xfff8000000000010, {0xc000041234010, 0xff0}, NULL},
	{"AArch64, a block in the last level", AARCH64(48, 0x1000, 12),
		{{0x1800, 0x2003}, {0x2000, 0x3003}, {0x3200, 0x4003}, {0x4008, 0x41234701}}, 0xffff800008001010, {0},
		"level 4 has a form that no CPU accepts"},
	{"AArch64, between both regions", AARCH64(39, 0x1000, 12), {{0}}, 0xffff800008001010, {0}, "not for such"},
	{"Arm, a section", SHORT(0, 0x4000, 0), {{0x7004, 0x4011140e}}, 0xc0112345, {0x40112345, 0xedcbb}, NULL},
	{"Arm, a supersection", SHORT(0, 0x4000, 0), {{0x7004, 0x4124142e}}, 0xc0112345, {0x1241112345, 0xeedcbb},
		NULL},
	{"Arm, a large page", SHORT(0, 0x4000, 0), {{0x7004, 0x8c01}, {0x8c48, 0x41230001}}, 0xc0112345,
		{0x41232345, 0xdcbb}, NULL},
	{"Arm, a small page", SHORT(0, 0x4000, 0), {{0x7004, 0x8c01}, {0x8c48, 0x4123445e}}, 0xc0112345,
		{0x41234345, 0xcbb}, NULL},
	{"Arm, TTBCR.N, TTBR0", SHORT(2, 0x4000, 0x8000), {{0x4004, 0x4010140e}}, 0x00112345, {0x40112345, 0xedcbb},
		NULL},
	{"Arm, TTBCR.N, TTBR1", SHORT(2, 0x4000, 0x8000), {{0xb004, 0x4010140e}}, 0xc0112345, {0x40112345, 0xedcbb},
		NULL},
	{"Arm, no entry", SHORT(0, 0x4000, 0), {{0x7008, 0x4011140e}}, 0xc0112345, {0}, "is not present"},
	{"Arm, an address of more than 32 bits", SHORT(0, 0x4000, 0), {{0}}, 0x1c0112345, {0}, "not for such"},
	{"LPAE, 2 MiB", LONG(32, 0x1000, 0, 0), {{0x1018, 0x2003}, {0x2008, 0x1240200701}}, 0xc0212345,
		{0x1240212345, 0x1edcbb}, NULL},
	{"LPAE, 4 KiB", LONG(32, 0x1000, 0, 0), {{0x1018, 0x2003}, {0x2008, 0x3003}, {0x3090, 0x41234703}}, 0xc0212345,
		{0x41234345, 0xcbb}, NULL},
	{"LPAE, TTBR1 of 1 GiB", LONG(32, 0x1000, 30, 0x2000), {{0x2008, 0x40200701}}, 0xc0212345,
		{0x40212345, 0x1edcbb}, NULL},
	{"LPAE, TTBR0 below TTBR1", LONG(32, 0x1000, 30, 0x2000), {{0x1008, 0x40000701}}, 0x40001234,
		{0x40001234, 0x3fffedcc}, NULL},
	{"an offset", {.format = PAGES_OFFSET, .offset = 0xffff800000000000}, {{0}}, 0xffff800000001000,
		{0x1000, 0x7ffffffff000}, NULL},
	{"big-endian", {.format = PAGES_ARM_SHORT, .big = true, .region = {{0x4000, 32, 12}}}, {{0x7004, 0x0e141140}},
		0xc0112345, {0x40112345, 0xedcbb}, NULL},
	{"a region of no size", X86_64(13, 0x1000), {{0}}, 0x1000, {0}, "cannot translate"},
	{"a region that is too large", X86_64(64, 0x1000), {{0}}, 0x1000, {0}, "not for such"},
};

static enum status read_entry(void *context, uint64_t address, void *to, size_t size, struct error *error)
{
	const struct walk_case *walk = context;
	uint8_t bytes[8];
	size_t i;

	for (i = 0; i < ENTRIES_MAX && walk->entries[i].address; i++) {
		if (walk->entries[i].address != address)
			continue;
		store_uint(bytes, walk->entries[i].value, 8, false);
		memcpy(to, bytes, size);
		return STATUS_OK;
	}
	/* A page that has an entry has others, which are not present. */
	for (i = 0; i < ENTRIES_MAX && walk->entries[i].address; i++)
		if (walk->entries[i].address >> 16 == address >> 16) {
			memset(to, 0, size);
			return STATUS_OK;
		}
	return error_set(error, STATUS_INVALID_INPUT, "has no memory");
}

/* Returns whether the walk has the result that it must have. */
static bool passes(const struct walk_case *walk)
{
	struct walk_case copy = *walk;
	struct page page = {0, 0};
	struct error error = {""};
	enum status status = page_walk(&walk->tables, read_entry, &copy, walk->address, &page, &error);

	if (walk->reason)
		return status == STATUS_INVALID_INPUT && strstr(error.text, walk->reason);
	if (status == STATUS_OK && page.physical == walk->expected.physical && page.run == walk->expected.run)
		return true;
	printf("# 0x%" PRIx64 ", 0x%" PRIx64 " bytes%s%s\n", page.physical, page.run, status ? ": " : "", error.text);
	return false;
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		printf("%s - %s\n", passes(&cases[i]) ? "ok" : "not ok", cases[i].name);
	return 0;
}
