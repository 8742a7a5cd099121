/* SPDX-License-Identifier: BSD-2-Clause */
/* fourth.cc - the same groups as third.cc once more, unused but for their counters. */
#define third fourth
#include "third.cc"
