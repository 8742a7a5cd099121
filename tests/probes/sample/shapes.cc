// SPDX-License-Identifier: BSD-2-Clause
// shapes.cc - templates, virtual functions and lambdas. shapes2.cc has the same templates, so the linker keeps one.
#include "shapes.h"

int shapes(int count)
{
	list<int> numbers;
	list<long> more;
	square one(3);
	line two;
	int sum = 0;

	for (int i = 0; i < count; i++) {
		numbers.add(i * 7 % 5);
		more.add(i);
		sum += area_of(i % 2 ? static_cast<shape &>(one) : two);
	}
	sum += numbers.sum([](int n) { return n > 2 ? n : -n; });
	return sum + static_cast<int>(more.sum([](long n) { return n % 3; })) + again(count);
}

extern "C" int main()
{
	return shapes(20) & 0x7f;
}
