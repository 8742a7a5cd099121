/* SPDX-License-Identifier: BSD-2-Clause */
/* classes.cc - templates, lambdas and exceptions. */
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define CHECKED(what) \
	do { \
		if (!(what)) \
			throw std::runtime_error(#what); \
	} while (0)

namespace
{
template <typename T> T larger(T a, T b)
{
	if (a > b)
		return a;
	return b;
}

template <typename T, int N> struct table {
	T list[N] = {};

	table() = default;
	explicit table(T first)
	{
		list[0] = first;
	}
	~table()
	{
		if (N > 3)
			list[0] = T();
	}
	T sum() const
	{
		T result = T();

		for (const T &entry : list)
			result = result + entry;
		return result;
	}
	template <typename F> int count(F condition) const
	{
		int result = 0;

		for (int i = 0; i < N; i++)
			if (condition(list[i]) && i != 1)
				result++;
		return result;
	}
	int never() const { return N ? 1 : 0; }
};

template <typename T> constexpr int kind(T value)
{
	if constexpr (sizeof(T) > 4)
		return value > 3 ? 8 : 9;
	else
		return value > 3 ? 4 : 5;
}

struct shape {
	virtual ~shape() = default;
	virtual int area() const = 0;
	virtual const char *name() const { return "shape"; }
};
struct square : shape {
	int a;
	explicit square(int a) : a(a) {}
	int area() const override { return a * a; }
};
struct line : shape {
	int area() const override { return 0; }
	const char *name() const override { return "line"; }
};

int thrown(int n)
{
	try {
		CHECKED(n != 3);
		CHECKED(n < 6);
		if (n == 2)
			throw n;
		return 1;
	} catch (const std::exception &e) {
		return e.what()[5] == '3' ? 2 : 3;
	} catch (int k) {
		return k + 10;
	} catch (...) {
		return 4;
	}
}

int rethrown(int n)
{
	auto clean = std::make_unique<std::string>("x");

	try {
		return thrown(n) + (n == 5 ? throw std::string("five") : 1);
	} catch (const std::string &s) {
		if (s.size() == 4 && n > 4)
			return 7;
		throw;
	}
}

int lambdas(int n)
{
	int sum = 0;
	auto add = [&sum](int k) { sum += k; };
	auto twice = [&](auto f, auto value) {
		f(value);
		if (value > 4)
			f(value);
		auto inner = [=]() -> int { return value > 2 ? 1 : 0; };
		return inner() + 0;
	};
	auto never = [](int k) {
		return k && k > 3;
	};

	for (int i = 0; i < n; i++)
		sum += twice(add, i) + twice(add, static_cast<long>(i));
	return n > 100 ? never(n) : sum;
}
}

inline int inlined(int n)
{
	return n > 3 || n < 1 ? n : 0;
}

template <typename... T> int all(T... values)
{
	return (0 + ... + (values > 1 ? 1 : 0));
}
template int all<short, char>(short, char);
template <> int all<>()
{
	return -1;
}

int main()
{
	int sum = larger(1, 2) + static_cast<int>(larger(2.5, 1.5)) + larger('a', 'b');
	table<int, 3> three(5);
	table<long, 5> five;
	square s(4);
	line l;

	for (int i = 0; i < 8; i++) {
		const shape &which = i & 1 ? static_cast<const shape &>(s) : l;

		sum += which.area() + which.name()[0] + thrown(i) + rethrown(i) + lambdas(i) + inlined(i);
		sum += kind(i) + kind(static_cast<long long>(i)) + kind(static_cast<char>(2));
		sum += three.count([i](int n) { return n > i; }) + five.count([](long n) { return n == 0; });
	}
	if (auto [a, b] = std::pair(sum, three.sum()); a > b && b)
		sum += all(1, 2L, 'c') + all();
	std::printf("%d\n", sum);
	return 0;
}
