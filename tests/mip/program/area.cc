// SPDX-License-Identifier: BSD-2-Clause
// area.cc - functions of C++: one that runs, and one that does not.
namespace geometry {
__attribute__((noinline)) int square(int side) { return side * side; }
__attribute__((noinline)) int cube(int side) { return side * side * side; }
} // namespace geometry

int (*volatile unused)(int) = geometry::cube;

extern "C" int area(int side) { return geometry::square(side); }
