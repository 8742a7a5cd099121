/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fourth.cc - has the same functions and COMDAT groups as third.cc, so the linker must keep one copy of each group.
 * No code calls fourth().
 */
#define third fourth
#include "third.cc"
