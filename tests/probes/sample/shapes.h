// SPDX-License-Identifier: BSD-2-Clause
// shapes.h - templates and classes of which several object files have copies.
#ifndef BAREPROF_TESTS_PROBES_SHAPES_H
#define BAREPROF_TESTS_PROBES_SHAPES_H

template <class T> class list
{
	T items[16];
	int count = 0;

      public:
	__attribute__((noinline)) void add(T item)
	{
		if (count < 16)
			items[count++] = item;
	}
	template <class F> T sum(F change) const
	{
		T total = 0;

		for (int i = 0; i < count; i++)
			total += change(items[i]);
		return total;
	}
};

struct shape {
	virtual int area() const = 0;
};

struct square : shape {
	int side;
	explicit square(int n) : side(n)
	{
	}
	int area() const override
	{
		return side * side;
	}
};

struct line : shape {
	int area() const override
	{
		return 0;
	}
};

__attribute__((noinline)) inline int area_of(const shape &s)
{
	return s.area() > 8 ? s.area() : 1;
}

int again(int count);

#endif
