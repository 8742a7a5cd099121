/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.cc - a program with the constructs that C++ adds to C: virtual calls, templates and inline functions that
 * two objects share, an anonymous namespace, a lambda, exceptions.
 */
#include "program.h"

#include <cstdlib>

namespace
{
int local(int n)
{
	return n & 4 ? n ^ 0x55 : n;
}

struct round : shape {
	explicit round(int n) : shape(n)
	{
	}
	int area() const override
	{
		return side > 30 ? 30 : 3 * side * side;
	}
};

struct square : shape {
	explicit square(int n) : shape(n)
	{
	}
	int area() const override
	{
		return side * side;
	}
};
} // namespace

__attribute__((noinline)) static int measure(const shape *s)
{
	return s->area();
}

int main(int argc, char **argv)
{
	int runs = argc > 1 ? atoi(argv[1]) : 1;
	int total = 0;
	auto add = [&](int more) {
		if (more > 2)
			total += more;
	};

	for (int i = 0; i < 20 * runs; i++) {
		shape plain(i);
		round circle(i);
		square box(i);
		const shape *all[] = {&plain, &circle, &box};

		add(measure(all[i % 4 ? 2 : i % 3]));
		add(larger(i, 7) + local(i) + common(i));
		try {
			if (i % 9 == runs)
				throw i;
		} catch (int n) {
			add(n);
		}
	}
	add(static_cast<int>(larger(2.0, static_cast<double>(total))));
	if (runs > 1)
		add(other(9 * runs));
	return total == 123456789;
}
