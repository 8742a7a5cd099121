// SPDX-License-Identifier: BSD-2-Clause
// shapes2.cc - uses the templates of shapes.cc in another object file.
#include "shapes.h"

int again(int count)
{
	list<int> numbers;
	square one(count);

	for (int i = 0; i < count; i++)
		numbers.add(i);
	return numbers.sum([](int n) { return n + 1; }) + area_of(one);
}
