/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * subject.cc - C++ code to instrument in place of subject.c: virtual functions, templates, a lambda, and two
 * instances of one template.
 */
namespace
{
struct shape {
	int side;
	explicit shape(int n) : side(n)
	{
	}
	virtual int area() const
	{
		return side > 2 && side < 9 ? side * side : 0;
	}
};

struct box : shape {
	explicit box(int n) : shape(n)
	{
	}
	int area() const override
	{
		return side % 2 || side > 20 ? 6 * side : shape::area();
	}
};

template <typename T> T clamp(T value, T low, T high)
{
	return value < low ? low : value > high ? high : value;
}
} // namespace

__attribute__((noinline)) static int measure(const shape *s)
{
	return s->area();
}

extern "C" int subject(int n)
{
	int total = 0;
	auto add = [&](int more) {
		if (more)
			total += more;
	};

	for (int i = 0; i < n; i++) {
		shape plain(i);
		box deep(i);

		add(measure(i % 3 ? &plain : &deep));
		add(clamp(i, 2, 5) + static_cast<int>(clamp(static_cast<long>(i), 1L, 4L)));
	}
	return total;
}
