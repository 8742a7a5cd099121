/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vtables.cc - calls virtual functions, so that the vtables of objects decide which functions
 * run.
 */
extern "C" {
#include "selftest.h"
}

namespace
{
struct animal {
	virtual uint32_t legs(uint32_t n) const
	{
		return n;
	}
};

struct bird : animal {
	uint32_t legs(uint32_t n) const override
	{
		return n > 9 ? n : 2 * n;
	}
};

struct spider : animal {
	uint32_t legs(uint32_t n) const override
	{
		return 8 * n;
	}
};
} // namespace

static __attribute__((noinline)) uint32_t count(const animal *a, uint32_t n)
{
	return a->legs(n);
}

extern "C" void test_vtables(void)
{
	static animal stone;
	static bird robin;
	static spider weaver;
	const animal *volatile const all[] = {&robin, &weaver, &robin, &stone};
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 12; i++)
		sum += count(all[i & 3], i);
	EXPECT(sum == 191);
}
