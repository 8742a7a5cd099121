/* SPDX-License-Identifier: BSD-2-Clause */
/* fourth.cc - the same COMDAT groups as third.cc, of which only the counters are used. */
#define third fourth
#include "third.cc"
