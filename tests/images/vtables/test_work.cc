/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_work.cc - devices as objects. A loop calls read() of each object. The vtable of the object determines which
 * function this call reaches. With PGO, clang 19 and 22 do not compare with vtables in an anonymous namespace. So the
 * namespace of these vtables has a name.
 */
extern "C" {
#include "console.h"
#include "selftest.h"
}

namespace drivers
{

class device
{
      public:
	virtual uint32_t read(uint32_t at) = 0;
};

class disk : public device
{
      public:
	uint32_t read(uint32_t at) override
	{
		return at * 3;
	}
};

class tape : public device
{
      public:
	uint32_t read(uint32_t at) override
	{
		return at ^ 1;
	}
};

class null : public device
{
      public:
	uint32_t read(uint32_t) override
	{
		return 0;
	}
};

disk first;
tape second;
null third;

__attribute__((noinline)) uint32_t read_all(device *const *devices, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += devices[i & 15]->read(i);
	return sum;
}

} // namespace drivers

using namespace drivers;

extern "C" void test_work(void)
{
	device *devices[16];

	for (uint32_t i = 0; i < 16; i++)
		devices[i] = i < 12 ? static_cast<device *>(&first) : i < 15 ? static_cast<device *>(&second) : &third;
	EXPECT(read_all(devices, 1600) == 3112600);
}
