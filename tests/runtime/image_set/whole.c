/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * whole.c - calls the work of all modules in one program, for which compiler-rt writes the profile. This file is not
 * instrumented.
 */
int work_a(int n);
int work_b(int n);

int main(void)
{
	return work_a(5) + work_b(7) + work_b(9) + work_a(11) < 0;
}
