/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fourth.cc - the functions and COMDAT groups of third.cc once more, so that the linker
 * keeps one copy of each group. No code calls fourth().
 */
#define third fourth
#include "third.cc"
