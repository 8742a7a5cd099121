/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * third.cc - the third source of an image for tests/images/linker/test.sh. It has functions and a vtable in COMDAT
 * groups.
 */
struct base {
	int n;
	virtual int get(int a)
	{
		return a ? n : 2;
	}
	int larger(int a)
	{
		return a > n ? a : n;
	}
};

template <int N> int times(int x)
{
	return x > 1 ? N * x : x;
}

static base *object;

extern "C" int third(int x)
{
	static base b;

	b.n = x;
	object = x ? &b : object;
	return object->larger(times<2>(x)) + object->get(x);
}
