/* SPDX-License-Identifier: BSD-2-Clause */
/* weak.h - declares the functions that are different in each object: before1(), before2() and so on. */
#ifndef WEAK_H
#define WEAK_H

#define JOIN2(a, b)    a##b
#define JOIN(a, b)     JOIN2(a, b)
#define FUNCTION(name) JOIN(name, PART)

int chosen(int n);

#endif
