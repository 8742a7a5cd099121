// SPDX-License-Identifier: BSD-2-Clause
// mip_classes.cc - C++ functions in COMDAT groups, thunks and exceptions. mip_rewrite.sh adds machine-profile code.
template <int N> struct Base {
	static int table[4];
	virtual int number(int a) { return a * N + table[a & 3]; }
	virtual ~Base() {}
};
template <int N> int Base<N>::table[4] = {N, 2, 3};

struct Derived : Base<3>, Base<4> {
	int number(int a) override { return a + 1; }
};

struct Error {
	int number;
};

struct Global {
	Global();
	~Global();
} global;

extern void other(int);

Base<3> *make_first() { return new Derived; }
Base<4> *make_second() { return new Derived; }

int throws(int a)
{
	if (a)
		throw Error{a};
	return 2;
}

int catches(int a)
{
	try {
		other(a);
		return throws(a);
	} catch (Error &error) {
		return error.number;
	} catch (...) {
		other(1);
		throw;
	}
}

inline int once()
{
	static int result = catches(3);
	return result;
}

int lambda()
{
	auto add = [](int a) { return a + once(); };
	int (*pointer)(int) = add;
	return pointer(3) + add(4);
}
