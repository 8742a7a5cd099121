// SPDX-License-Identifier: BSD-2-Clause
// std_sort.cc - compares unstable_sort() with std::sort() of this machine's libstdc++: the order of equal items, and the
// number of comparisons.
#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>
extern "C" {
#include "unstable_sort.h"
}

static std::vector<uint64_t> keys;
static unsigned long comparisons;

static bool is_below(uint32_t left, uint32_t right)
{
	comparisons++;
	return keys[left] < keys[right];
}

static bool below(const void *, uint32_t left, uint32_t right)
{
	return is_below(left, right);
}

// Sorts the numbers of all keys with both sorts. Returns whether the results and the numbers of comparisons are equal.
static bool sorts_equally()
{
	std::vector<uint32_t> ours(keys.size());
	for (size_t i = 0; i < ours.size(); i++)
		ours[i] = (uint32_t)i;
	std::vector<uint32_t> theirs = ours;
	struct unstable_sort sort = {ours.data(), ours.size(), below, nullptr};
	comparisons = 0;
	unstable_sort(&sort);
	unsigned long our_comparisons = comparisons;
	comparisons = 0;
	std::sort(theirs.begin(), theirs.end(), is_below);
	return ours == theirs && our_comparisons == comparisons;
}

static void say(bool good, const char *what)
{
	std::printf("%s - std::sort: %s\n", good ? "ok" : "not ok", what);
}

// Keys in the orders that sources have: random, in steps up or down, in waves, and up and then down.
static uint64_t key(unsigned kind, size_t i, size_t count, size_t step, std::mt19937_64 &random)
{
	switch (kind) {
	case 0:
		return random() % step;
	case 1:
		return i / step;
	case 2:
		return (count - i) / step;
	case 3:
		return i * 7 % step;
	default:
		return (i < count / 2 ? i : count - i) / (1 + step / 8);
	}
}

// Makes keys for which quicksort divides as badly as possible (M. D. McIlroy, A Killer Adversary for Quicksort, 1999).
static void make_worst(size_t count)
{
	std::vector<uint32_t> items(count);
	uint64_t fixed = 0;
	uint32_t candidate = 0;

	for (size_t i = 0; i < count; i++)
		items[i] = (uint32_t)i;
	keys.assign(count, count);
	std::sort(items.begin(), items.end(), [&](uint32_t x, uint32_t y) {
		if (keys[x] == count && keys[y] == count)
			keys[x == candidate ? x : y] = fixed++;
		if (keys[x] == count)
			candidate = x;
		else if (keys[y] == count)
			candidate = y;
		return keys[x] < keys[y];
	});
}

int main()
{
	std::mt19937_64 random(1);
	bool good = true;

	for (unsigned i = 0; i < 10000 && good; i++) {
		size_t count = random() % (i < 5000 ? 64 : 2000);
		size_t step = 1 + random() % (i % 3 ? 10 : count + 1);
		keys.resize(count);
		for (size_t k = 0; k < count; k++)
			keys[k] = key(i % 5, k, count, step, random);
		good = sorts_equally();
	}
	say(good, "10,000 arrays with equal keys");
	for (size_t count : {17, 18, 33, 100, 101, 1000, 1001, 5000}) {
		make_worst(count);
		std::vector<uint64_t> worst = keys;
		for (uint64_t divisor = 1; divisor < 10; divisor++) {
			for (size_t k = 0; k < count; k++)
				keys[k] = worst[k] / divisor;
			good &= sorts_equally();
		}
	}
	say(good, "arrays that are sorted with a heap");
	return 0;
}
